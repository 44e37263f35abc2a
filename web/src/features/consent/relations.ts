/** What somebody is to a minor, in a word. */
export const relationWord = {
  parent: 'parent',
  guardian: 'legal guardian',
  other: 'decides by law',
} as const
