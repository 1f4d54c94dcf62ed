declare module 'virtual:solo' {
  /** Where Python lies, below the page. */
  export const folder: string;
  /** How many bytes that is. */
  export const size: number;
}

declare module 'virtual:languages' {
  const names: Record<string, string>;
  export default names;
}
