// build.mjs turns an imported style sheet into its minified text.
declare module "*.css" {
  const text: string;
  export default text;
}
