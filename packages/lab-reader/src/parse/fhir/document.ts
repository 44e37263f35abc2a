import { z } from 'zod'
import { isOfTraining } from '../specimen-words.ts'
import type { Bundle } from './resource.ts'

/** What a Composition says of an entry of one of its sections, or of everything. */
export type Sections = { entry?: string; status?: string; titles: string[] }[]

const text = z.string().max(20_000)
const Section = z.object({
  title: text.optional(),
  code: z.object({ text: text.optional() }).optional().catch(undefined),
  entry: z
    .array(z.object({ reference: text.optional() }))
    .optional()
    .catch(undefined),
  section: z.array(z.unknown()).optional().catch(undefined),
})
const Composition = z.object({ status: text.optional(), section: z.array(z.unknown()).optional().catch(undefined) })

const About = z.array(z.object({ reference: text.optional() })).catch([])
const Said = z.object({
  implicated: About,
  about: About,
  /** Of a Provenance. */
  target: About,
  activity: z
    .object({ coding: z.array(z.object({ code: text.optional() })) })
    .optional()
    .catch(undefined),
  reason: z.array(z.object({ text: text.optional() })).catch([]),
  code: z.object({ text: text.optional() }).optional().catch(undefined),
  detail: text.optional().catch(undefined),
  payload: z.array(z.object({ contentString: text.optional() })).catch([]),
})

/** HL7's operations on data that leave nothing that counts. */
const takesBack = ['NULLIFY', 'DELETE', 'ABORT', 'CANCEL']

/** What an issue, a message or a provenance says of results. */
export function saidAbout(json: unknown): Sections {
  const { implicated, about, target, activity, reason, code, detail, payload } = Said.parse(json)
  const said = [code?.text, detail, ...reason.map((one) => one.text)]
  const titles = [...said, ...payload.map(({ contentString }) => contentString)].filter((one) => one !== undefined)
  const status = activity?.coding.map((one) => one.code ?? '').find((one) => takesBack.includes(one))
  return [...implicated, ...about, ...target].flatMap(({ reference }) =>
    reference ? [{ entry: reference, titles, ...(status && { status }) }] : [],
  )
}

const MAX_DEPTH = 5

/** The sections of a Composition; where it was entered in error or is not known, what it says is of all. */
export function saidIn(json: unknown): Sections {
  const { status = '', section = [] } = Composition.safeParse(json).data ?? {}
  const counts = ['final', 'amended', 'corrected', 'appended', 'preliminary'].includes(status)
  return [...(counts ? [] : [{ status, titles: [] }]), ...section.flatMap((one) => entriesOf(one, []))]
}

function entriesOf(json: unknown, above: string[]): Sections {
  const { title, code, entry = [], section = [] } = Section.safeParse(json).data ?? {}
  const titles = [...above, ...[title, code?.text].filter((one) => one !== undefined)]
  const own = entry.flatMap(({ reference }) => (reference ? [{ entry: reference, titles }] : []))
  return [...own, ...(above.length < MAX_DEPTH ? section.flatMap((one) => entriesOf(one, titles)) : [])]
}

const Header = z.object({
  source: z.object({ name: text.optional(), software: text.optional(), endpoint: text.optional() }),
})

/** The header of a message from a system for training: nothing of it counts. */
export function saidOfSource(json: unknown): Sections {
  const { name = '', software = '', endpoint = '' } = Header.safeParse(json).data?.source ?? {}
  const system = [name, software, ...endpoint.split(/[./:]+/)].find(isOfTraining)
  return system === undefined ? [] : [{ status: `one of training: ${system}`, titles: [] }]
}

/** Addresses that a Bundle deletes and does not write again: of a history, and of nothing else, the newest stands first. */
export function deletedIn({ type, entry = [] }: z.infer<typeof Bundle>): string[] {
  const seen = new Set<string>()
  return entry.flatMap((one) => {
    const { fullUrl, request } = one ?? {}
    const addresses = [fullUrl, request?.url].flatMap((address) =>
      address?.includes('/') || address?.startsWith('urn:') ? [address] : [],
    )
    const isNew = type !== 'history' || !addresses.some((address) => seen.has(address))
    for (const address of addresses) seen.add(address)
    return request?.method === 'DELETE' && isNew ? addresses : []
  })
}

const List = z.object({
  status: text.optional(),
  entry: z
    .array(z.object({ deleted: z.boolean().optional(), item: z.object({ reference: text.optional() }) }))
    .optional(),
})

/** What a List of changes says is deleted. */
export const deletedInList = (json: unknown): string[] =>
  (List.safeParse(json).data?.entry ?? []).flatMap(({ deleted, item }) =>
    deleted && item.reference ? [item.reference] : [],
  )
