declare module 'virtual:faces' {
  const faces: Record<'two' | 'four', Record<string, string>>;
  export default faces;
}
