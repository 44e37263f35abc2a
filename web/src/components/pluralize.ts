import { locale } from '../language/t.ts'

/** "1 credit", "2 credits", "1,000 credits". */
export const pluralize = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString(locale())} ${count === 1 ? one : many}`
