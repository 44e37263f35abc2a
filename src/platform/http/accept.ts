import type { FastifyRequest } from 'fastify'
import { sentenceLanguage } from '../../domain/translations/sentences.ts'

interface Wish {
  range: string
  quality: number
}

// RFC 9110, 12.4.2. Anything else is ignored.
const QUALITY = /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/

function wishes(accept: string): Wish[] {
  return accept.split(',').flatMap((part) => {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const quality = parameters.find((text) => text.startsWith('q='))?.slice(2) ?? '1'
    return range.includes('/') && QUALITY.test(quality) ? [{ range, quality: Number(quality) }] : []
  })
}

/** How closely a range names a type: 2 itself, 1 its family, 0 anything, -1 not at all. */
function closeness(range: string, type: string): number {
  if (range === type) return 2
  if (range === `${type.slice(0, type.indexOf('/'))}/*`) return 1
  return range === '*/*' ? 0 : -1
}

/** The format that an Accept header asks for; the first one offered where it asks for none of them, or likes several equally. */
export function preferred<T extends string>(accept: string, offered: readonly [T, ...T[]]): T {
  const preferences = wishes(accept)
  let best: { type: T; quality: number; close: number } = { type: offered[0], quality: 0, close: -1 }
  for (const type of offered) {
    const [nearest] = preferences
      .map(({ range, quality }) => ({ quality, close: closeness(range, type) }))
      .filter(({ close }) => close >= 0)
      .sort((a, b) => b.close - a.close)
    if (!nearest) continue
    const isBetter = nearest.quality > best.quality || (nearest.quality === best.quality && nearest.close > best.close)
    if (nearest.quality > 0 && isBetter) best = { type, ...nearest }
  }
  return best.type
}

const MAX_LANGUAGES = 10

/** The languages that an Accept-Language header asks for, the most wanted first. */
export function languagesOf(header = ''): string[] {
  const weighted = header.split(',', MAX_LANGUAGES).map((part) => {
    const [tag = '', ...rest] = part.trim().split(';')
    const weight = rest.map((one) => /^\s*q=([\d.]+)$/.exec(one)?.[1]).find(Boolean)
    return { tag, weight: weight === undefined ? 1 : Number(weight) }
  })
  return weighted
    .filter(({ tag, weight }) => tag !== '' && weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)
}

/** The language of the sentences in an answer: the dashboard says which one it speaks. A program, by its token, always gets English. */
export const answerLanguage = ({ headers }: Pick<FastifyRequest, 'headers'>): string =>
  headers.authorization === undefined ? sentenceLanguage(languagesOf(headers['accept-language'])) : 'en'
