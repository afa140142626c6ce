/** Characters of a document that a page may publish, and of a version that it is shown. */
export const MOST_TEXT: number = 1024 * 1024;
