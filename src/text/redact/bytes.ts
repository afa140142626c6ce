export const TAB = 0x09;
export const NEWLINE = 0x0a;
const RETURN = 0x0d;
export const ESC = 0x1b;
export const SPACE = 0x20;
const QUOTE = 0x22;
export const PERCENT = 0x25;
export const AMPERSAND = 0x26;
const APOSTROPHE = 0x27;
export const EQUALS = 0x3d;
export const BRACKET = 0x5b;
export const BACKSLASH = 0x5c;

export const isBreak = (byte: number): boolean => byte === NEWLINE || byte === RETURN;
export const isQuote = (byte: number): boolean => byte === QUOTE || byte === APOSTROPHE;
