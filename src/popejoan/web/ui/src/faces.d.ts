declare module 'virtual:faces' {
  const faces: Record<'two' | 'four', Record<string, string>>;
  export default faces;
}

declare module 'virtual:licences' {
  const address: string;
  export default address;
}
