import { countryOf, placeProblems } from '@kitlane/display/postal-address'
import type { Sentence } from '@kitlane/display/sentence'
import {
  hasLostCharacter,
  isPhone,
  isPlainLine,
  isStorable,
  isVisible,
  LOST_CHARACTER,
  latinDigits,
  NOT_PHONE,
  NOT_PLAIN_LINE,
  NOT_STORABLE,
  NOT_VISIBLE,
} from '@kitlane/display/text'
import { z } from 'zod'
import { loosePlace, loosePlaceProblems, wordsOfProblem } from '../../domain/addresses.ts'
import { SETTLED_AFTER_MS } from '../database/timeouts.ts'

/** What a rule says, in an answer: text once it is sent, in the language of who reads it. */
export const said = z.string() as z.ZodType as z.ZodType<string, string | Sentence>

/** Text of 1 to `max` characters, trimmed. */
export const text = (max: number) => readable(z.string().trim().min(1).max(max))

const readable = (schema: z.ZodString) => schema.refine(isStorable, NOT_STORABLE).refine(isVisible, NOT_VISIBLE)

const inOneLine = (schema: z.ZodString) =>
  readable(schema)
    .refine(isPlainLine, NOT_PLAIN_LINE)
    .refine((value) => !hasLostCharacter(value), LOST_CHARACTER)

/** The same in one line, for what stands on a label or in a list, such as a name. */
export const line = (max: number) => inOneLine(z.string().trim().min(1).max(max))

/** A line that may be empty. */
export const anyLine = (max: number) => inOneLine(z.string().trim().max(max))

/** A line that may be left out; an empty one counts as left out, as spreadsheets send it. */
export const optionalLine = (max: number) => leftOut(anyLine(max))

/** A postcode, or an empty text. As a number it may have lost zeros, which nothing gives back. */
export const postcode = (max: number) =>
  inOneLine(
    z
      .string({
        error: ({ input }) =>
          typeof input === 'number'
            ? 'Send it as text: a number loses its leading zeros, and this one may have'
            : undefined,
      })
      .trim()
      .max(max),
  )

/** The two letters of a country. Its name is taken as well. */
export const countryCode = z
  .string()
  .overwrite((value) => countryOf(value) ?? value)
  .superRefine((country, context) => {
    const wrong = placeProblems({ country, state: '', zip: '' }).find(({ field }) => field === 'country')
    if (wrong) context.addIssue(wordsOfProblem(wrong))
  })

/** Text that may be left out; an empty one counts as left out, as spreadsheets send it. */
export const optionalText = (max: number) => leftOut(readable(z.string().trim().max(max)))

const leftOut = (schema: z.ZodString) => schema.transform((value) => value || undefined).optional()

/** Where a person lives, of which any part may be left out; what is there follows the rules of its country. */
export const withLoosePlace = <T extends z.ZodType<{ country?: string; state?: string; zip?: string }>>(schema: T): T =>
  schema.overwrite(loosePlace).superRefine((given, context) => {
    for (const found of loosePlaceProblems(given))
      context.addIssue({ code: 'custom', message: wordsOfProblem(found), path: [found.field] })
  })

/** A phone number that may be left out. */
export const optionalPhone = leftOut(
  anyLine(40)
    .overwrite(latinDigits)
    .refine((value) => value === '' || isPhone(value), NOT_PHONE),
)

const DOTS = 'Send another identifier: `.` and `..` mean a folder where it stands in a path'

/** An identifier of the caller's own, that may be left out. */
export const optionalOwnId = leftOut(anyLine(255).refine((value) => value !== '.' && value !== '..', DOTS))

/** Text that may be empty. */
export const anyText = (max: number) => z.string().max(max).refine(isStorable, NOT_STORABLE)

export const email = z.string().trim().max(254).pipe(z.email()).describe('An e-mail address; case does not matter.')

const isInYears = (value: string) => value >= '1900' && value < '2200'

/** Python writes `True`. */
const inLowerCase = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value)

/** A query parameter that is on or off. */
export const isTrue = z
  .preprocess(inLowerCase, z.enum(['true', 'false', '1', '0']))
  .transform((value) => value === 'true' || value === '1')

/** The same for what must not be done by mistake: the bare name, `?dryRun`, is on too. */
export const isTrueOrBare = z
  .preprocess((value) => (value === '' ? 'true' : inLowerCase(value)), z.enum(['true', 'false', '1', '0']))
  .transform((value) => value === 'true' || value === '1')

/** What a person types to find something. */
export const searchText = anyText(200)
  .transform((value) => value.trim())
  .describe(
    'An ID, an e-mail or a name, or how it begins; of a name, how its words begin, in any order. Case, accents, apostrophes and hyphens do not matter. Of a name three letters are needed, or all of a word. What fits more than 2,000 finds some of them.',
  )

/** A date of the calendar, `YYYY-MM-DD`, 1900 to 2199. */
export const isoDate = z.iso.date().refine(isInYears, 'A date between 1900 and 2199')

const DATE_WORDS = 'YYYY-MM-DD, or an RFC 3339 timestamp; 1900 to 2199'

/** A date, or an RFC 3339 timestamp. */
export const dateOrTimestamp = z
  .union([isoDate, z.iso.datetime({ offset: true }).refine(isInYears, 'A time between 1900 and 2199')], {
    error: ({ input }) => (input === undefined ? `Is missing: send ${DATE_WORDS}` : `Send ${DATE_WORDS}`),
  })
  .describe('`YYYY-MM-DD` or an RFC 3339 timestamp.')

/** A day, such as a date of birth. A timestamp counts as the day that its text begins with, whatever its offset. */
export const dayOf = z
  .string()
  .overwrite(latinDigits)
  .refine((value) => dateOrTimestamp.safeParse(value).success, `Send ${DATE_WORDS}`)
  .transform((value) => value.slice(0, 10))
  .describe('`YYYY-MM-DD`, or an RFC 3339 timestamp, of which the day counts.')

/** The timestamp, if more than a day was given. */
export const timeOf = (value: string | null | undefined): string | null => (value && value.length > 10 ? value : null)

export const timestamp = z.iso.datetime().describe('RFC 3339, UTC, milliseconds.')

/** `page` is 0-based. */
export const paging = (defaultSize: number, maxSize: number) => {
  const { page, size } = maybePaging(maxSize)
  return { page: page.unwrap().default(0).describe('0-based.'), size: size.unwrap().default(defaultSize) }
}

/** Paging that may be left out, where the answer then differs. */
export const maybePaging = (maxSize: number) => ({
  page: z.coerce.number().int().min(0).max(10_000_000).optional().describe('0-based.'),
  size: z.coerce.number().int().min(1).max(maxSize).optional(),
})

/** How a list is sorted that has its rows numbered in the order in which they were made. */
export const byCreation = z
  .enum(['createdDate', '-createdDate'])
  .optional()
  .describe('`createdDate`: oldest first. Else newest first.')

export const Pagination = z
  .object({
    page: z.int(),
    size: z.int(),
    total: z.int(),
    totalPages: z.int(),
    hasNext: z.boolean(),
    hasPrevious: z.boolean(),
  })
  .meta({ id: 'Pagination' })

export function pagination(page: number, size: number, total: number): z.infer<typeof Pagination> {
  const totalPages = Math.ceil(total / size)
  return { page, size, total, totalPages, hasNext: page + 1 < totalPages, hasPrevious: page > 0 }
}

/** What changed from this time on. */
export const updatedSince = dateOrTimestamp.describe(
  'Only what changed at this time or later: `YYYY-MM-DD` or an RFC 3339 timestamp. The header `X-Next-Updated-Since` of each answer has the time to ask with next, so that no change is missed.',
)

/**
 * The time to ask with next. A change is dated when its transaction begins, so one that is not committed yet may be dated
 * before this answer, but not before this time: such a transaction is rolled back.
 */
export const nextUpdatedSince = ({ now }: { now: Date }) => ({
  'x-next-updated-since': new Date(now.getTime() - SETTLED_AFTER_MS).toISOString(),
})

/** RFC 8288: the addresses of the other pages of a list whose answer is an array. */
export function pageLinks(
  path: string,
  query: object,
  { page, size, total }: { page: number; size: number; total: number },
) {
  const last = Math.max(0, Math.ceil(total / size) - 1)
  const pages: [string, number][] = [['first', 0]]
  if (page > 0) pages.push(['prev', Math.min(page - 1, last)])
  if (page < last) pages.push(['next', page + 1])
  pages.push(['last', last])
  const address = (page: number) => {
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries({ ...query, page, size })) {
      if (value !== undefined) parameters.set(name, String(value))
    }
    return `${path}?${parameters}`
  }
  return pages.map(([rel, page]) => `<${address(page)}>; rel="${rel}"`).join(', ')
}

/** The start of a day, or the exact time if one is given. */
export const rangeStart = (value: string | undefined): Date | undefined => (value ? new Date(value) : undefined)

/** The end of a day if no time is given: an end date includes that day. */
export const rangeEnd = (value: string | undefined): Date | undefined =>
  value ? new Date(value.length === 10 ? `${value}T23:59:59.999Z` : value) : undefined

/** The days that a list is about, in a query. */
export const period = {
  startDate: dateOrTimestamp.optional().describe('From then on.'),
  endDate: dateOrTimestamp.optional().describe('Until then; a day counts.'),
}

/** Several values joined by a comma; one that comes twice counts twice. */
export const commaList = (max: number, example?: string) =>
  z
    .string()
    .max(8192)
    .meta(example === undefined ? {} : { examples: [example] })
    .transform((value) => value.split(',').flatMap((item) => item.trim() || []))
    .pipe(z.array(z.string().refine(isStorable, NOT_STORABLE)).max(max))

/** The same in a query, where a parameter may also come several times. */
export const commaParameter = (max: number, example?: string) =>
  z.preprocess((given) => (Array.isArray(given) ? given.join() : given), commaList(max, example))

const MOST = 50

/** One or several of some values in a query, by comma or repeated; none is absent. */
export const anyOf = <T extends string>(values: readonly T[]) =>
  commaParameter(MOST)
    .pipe(z.array(z.enum(values)))
    .transform(distinct)
    .optional()
    .describe(`${values.map((value) => `\`${value}\``).join(', ')}; several by comma.`)

/** The same, where a list without the parameter is one of these values. */
export const anyOfOr = <T extends string>(values: readonly T[], otherwise: T) =>
  commaParameter(MOST, otherwise)
    .pipe(z.array(z.enum(values)))
    .transform((list): T[] => distinct(list) ?? [otherwise])
    .prefault(otherwise)

/** The same of texts that are not known beforehand. */
export const anyOfTexts = (max: number) => commaParameter(max).transform(distinct).optional()

/** An address in a query reads an unencoded `+` as a space, and no e-mail address has a space. */
const plusInEmail = (value: string): string => (value.includes('@') ? value.replaceAll(' ', '+') : value)

/** E-mail addresses that a list is filtered by. */
export const emailFilter = commaParameter(50)
  .transform((list) => list.map(plusInEmail))
  .describe('The whole address; compared case-insensitively. Several by comma.')

/** Identifiers of callers that a list is filtered by, divided at each comma: `identifiersIn` puts together those that have one. */
export const externalIdFilter = z
  .preprocess(
    (given) => (Array.isArray(given) ? given.join() : given),
    z
      .string()
      .max(8192)
      .refine(isStorable, NOT_STORABLE)
      .transform((value) => value.split(','))
      .pipe(z.array(z.string()).max(50)),
  )
  .describe('Your own identifier; several by comma.')

// An identifier with more commas than this is no identifier.
const MAX_PARTS = 4

/** The identifiers that such a parameter may mean: each of its parts, and neighbours together, since an identifier may have a comma. */
export function identifiersIn(parts: readonly string[]): string[] {
  const ends = Array.from({ length: MAX_PARTS }, (_, index) => index + 1)
  const all = parts.flatMap((_, start) =>
    ends.map((count) =>
      parts
        .slice(start, start + count)
        .join()
        .trim(),
    ),
  )
  return [...new Set(all)].filter(Boolean)
}

const distinct = <T extends string>(list: readonly T[]): T[] | undefined =>
  list.length === 0 ? undefined : [...new Set(list)].sort()
