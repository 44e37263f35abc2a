import type { Queries, Realm } from '../database/tx.ts'

/** Things that tell of somebody, mostly of their health. Reading or changing one writes a row of the audit, in the same transaction. */
export type HealthObject =
  | 'customer'
  | 'report'
  | 'kit'
  | 'order'
  | 'upload'
  | 'lab_message'
  | 'email'
  | 'unassessed_result'

/** What a route does to such things; `register.ts` writes it down, the handler need not. */
export interface Touching {
  /** The answer shows them. A kit or an order counts only where it shows a person: one registered to it, or whom to post it to. */
  reads?: HealthObject
  /** The handler changes one, and no verb that it calls writes that down. */
  changes?: HealthObject
}

export interface Touch {
  verb: 'read' | 'listed' | 'changed'
  object: HealthObject
  /** At least one. */
  ids: readonly string[]
  details: Record<string, unknown>
}

/** Writes a touch to the audit: of a realm, or of whichever realms the objects are in. */
export type RecordTouch = (tx: Queries & { realm?: Realm }, touch: Touch) => Promise<void>

const idNames: Record<HealthObject, readonly string[]> = {
  customer: ['id', 'customerID', 'customerId'],
  report: ['reportID', 'reportId', 'id'],
  kit: ['kitID'],
  order: ['orderID', 'orderId'],
  upload: ['docID', 'docId'],
  lab_message: ['id', 'messageID'],
  email: ['id', 'emailID'],
  unassessed_result: ['id', 'resultID'],
}

// A kit or an order that nobody has registered says nothing about anyone's health; `recipient`: shown to who packs it.
const NAMES_PERSON = /"(customerID|customerId|registeredTo|registration|recipient)":|"registeredToEmail":"[^"]/

interface Answered {
  id: string
  params: unknown
  body: unknown
  /** Of a document: what is in it is not looked at, so its row names no number, and is written for an empty one too. */
  contentType?: string
}

/** What an answer touched; undefined for nothing, such as an empty list. */
export function touchOf({ reads, changes }: Touching, answered: Answered): Touch | undefined {
  const object = changes ?? reads
  if (!object) return undefined
  const { id: operation, params, body, contentType } = answered
  const named = idIn(params, idNames[object]) ?? Object.values((params ?? {}) as Record<string, unknown>).at(-1)
  if (contentType !== undefined) {
    const details = { operation, format: contentType.split(';')[0] }
    return {
      verb: named === undefined ? 'listed' : 'read',
      object,
      ids: [named === undefined ? '*' : String(named)],
      details,
    }
  }
  const list = listIn(body)
  const needsPerson = !changes && (object === 'kit' || object === 'order')
  const ids = (list ?? [body])
    .filter((item) => !needsPerson || NAMES_PERSON.test(JSON.stringify(item)))
    .map((item) => String(idIn(item, idNames[object]) ?? named ?? '*'))
  if (ids.length === 0) return undefined
  const verb = changes ? 'changed' : list ? 'listed' : 'read'
  return { verb, object, ids, details: { operation, ...(list && { count: ids.length }) } }
}

function listIn(body: unknown): readonly unknown[] | undefined {
  if (Array.isArray(body)) return body
  const data = (body as { data?: unknown } | null | undefined)?.data
  return Array.isArray(data) ? data : undefined
}

function idIn(item: unknown, names: readonly string[]): unknown {
  if (typeof item !== 'object' || item === null) return undefined
  // What is around a kit is answered beside it.
  const fields = { ...((item as { kit?: object }).kit ?? {}), ...item } as Record<string, unknown>
  return names.map((name) => fields[name]).find((value) => typeof value === 'string' || typeof value === 'number')
}
