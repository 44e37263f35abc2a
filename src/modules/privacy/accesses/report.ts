import { type SystemTx, type Tx, within } from '../../../platform/database/tx.ts'
import { csvCell } from '../../../platform/http/csv.ts'
import { rangeEnd, rangeStart } from '../../../platform/http/fields.ts'
import { type AccessRow, selectAccesses } from '../../audit/person-queries.ts'
import * as audit from '../../audit/service.ts'
import * as customers from '../../customers/service.ts'
import { modulesOf } from '../../define-module.ts'
import { selectKits, selectOrders } from '../export-queries.ts'
import { type CallerRow, selectCallers, selectObjectsOf } from './object-queries.ts'
import type { Access, AccessedKind, AccessVerb, PersonalAccesses } from './schema.ts'

// About 4 MB as JSON. What one caller does on one day in one way is one row, so that few people reach it.
const MAX_ROWS = 10_000

interface TimeRange {
  from?: string | undefined
  to?: string | undefined
}

type Who = Access['who']

const roleNames: Record<string, string> = {
  'operator-admin': 'administrator',
  fulfilment: 'packer',
  lab: 'laboratory staff',
  reviewer: 'reviewer',
  provider: 'provider who approves orders',
  'business-admin': 'administrator',
  'business-viewer': 'viewer',
}
const LABORATORY = ['lab', 'reviewer']

/** Who an actor of the audit is, in words for the person whose data it was. */
function whoIs(actor: string, found: CallerRow | undefined): Who {
  const [prefix = '', id] = actor.split(':')
  const name = found && { name: found.name }
  if (prefix === 'recipient') return { kind: 'person' }
  if (prefix === 'share') return { kind: 'person', role: 'somebody with a link that the person made' }
  if (prefix === 'token') return { kind: 'business', role: 'API token', ...name }
  if (prefix === 'user') return { ...ofUser(found?.roles ?? []), ...name }
  if (prefix === 'operator') {
    const { scopes = [] } = found ?? {}
    return { kind: isLaboratory(scopes) ? 'laboratory' : 'operator', role: 'API token', ...name }
  }
  if (prefix === 'cli') return { kind: 'operator', role: 'command line' }
  return { kind: 'service', ...(id && { name: id }) }
}

/** A token for samples and results, and for nothing that only the operator does. */
const isLaboratory = (scopes: readonly string[]) =>
  scopes.length > 0 && scopes.every((scope) => ['lab', 'review'].includes(scope))

function ofUser(roles: readonly string[]): Pick<Who, 'kind' | 'role'> {
  const [role] = roles
  if (role === undefined) return { kind: 'business', role: 'former member' }
  const named = { role: roleNames[role] ?? role }
  if (role.startsWith('business-')) return { kind: 'business', ...named }
  return { kind: LABORATORY.includes(role) ? 'laboratory' : 'operator', ...named }
}

const kinds: Record<string, AccessedKind> = {
  customer: 'record',
  kit: 'kit',
  order: 'order',
  report: 'report',
  notice: 'report',
  data: 'answers',
  upload: 'file',
  unassessed_result: 'results',
  critical_result: 'results',
  lab_message: 'labMessage',
  email: 'email',
}
const kindOf = (objectType: string): AccessedKind => kinds[objectType] ?? 'record'

/** What was done, from the name of an audit entry: `report.viewed` is a reading. */
function verbOf({ action, isEverything }: Pick<AccessRow, 'action' | 'isEverything'>): AccessVerb {
  const verb = action.slice(action.indexOf('.') + 1)
  if (isEverything) return 'exported'
  if (verb.endsWith('read') || verb === 'viewed') return 'read'
  if (verb === 'listed') return 'listed'
  if (verb === 'exported') return 'exported'
  return verb.endsWith('refused') ? 'refused' : 'changed'
}

const whoWords: Record<Who['kind'], string> = {
  person: 'The person',
  business: 'The company',
  operator: 'The operator',
  laboratory: 'The laboratory',
  service: 'The service itself',
}
/** `The laboratory: laboratory staff (M. Example)`. */
function whoInWords({ kind, role, name }: Who): string {
  const more = [role, name && (role ? `(${name})` : name)].filter(Boolean).join(' ')
  return more ? `${whoWords[kind]}: ${more}` : whoWords[kind]
}

const kindWords: Record<AccessedKind, string> = {
  record: 'personal record',
  kit: 'kit and its registration',
  order: 'order with the address',
  report: 'report with results',
  answers: 'answers and values',
  file: 'uploaded file',
  results: 'results that were not assessed',
  labMessage: 'message of the laboratory',
  email: 'e-mail',
}

const verbWords: Record<AccessVerb, string> = {
  read: 'read',
  listed: 'shown in a list',
  exported: 'exported to a file',
  changed: 'changed or processed',
  refused: 'refused',
}

/** Why: the reason that was given, or else the request or the job. */
function whyInWords({ reason, operation, job }: Pick<Access, 'reason' | 'operation' | 'job'>): string {
  if (reason) return reason
  if (operation) return `request ${operation}`
  return job ? `job ${job}` : ''
}

/**
 * Who saw the data of a person, newest first: what one caller did in the same way on one day is one row. It takes a
 * transaction over all realms that stands in the person's. Audited. @throws CUSTOMER_NOT_FOUND
 */
export async function accessesOf(
  tx: SystemTx & Tx,
  idOrExternalId: string,
  period: TimeRange,
): Promise<PersonalAccesses> {
  const person = await customers.find(tx, idOrExternalId)
  const kits = await selectKits(tx, person.id)
  const orders = await selectOrders(tx, [...new Set(kits.map(({ orderId }) => orderId))], person.email)
  const orderIds = orders.map(({ id }) => id)
  const objects = await selectObjectsOf(tx, person.id, orderIds, person.email)
  for (const module of modulesOf(tx.context)) {
    Object.assign(objects, await module.person?.audited?.(tx, { ...person, orderIds }))
  }
  const since = [person, ...orders].map(({ createdAt }) => createdAt).reduce((a, b) => (a < b ? a : b))
  const range = { from: rangeStart(period.from), to: rangeEnd(period.to), since, limit: MAX_ROWS + 1 }
  const rows = await selectAccesses(tx, tx.realm, objects, range)
  await audit.record(tx, [{ action: 'customer.accesses_read', objectType: 'customer', objectId: String(person.id) }])
  const callers = await selectCallers(tx, [...new Set(rows.map(({ actor }) => actor))])
  const byActor = new Map(callers.map((caller) => [caller.actor, caller]))
  const data = rows.slice(0, MAX_ROWS).map((row) => ({
    firstDate: row.first.toISOString(),
    lastDate: row.last.toISOString(),
    times: row.times,
    who: whoIs(row.actor, byActor.get(row.actor)),
    data: kindOf(row.objectType),
    did: verbOf(row),
    ...(row.operation !== null && { operation: row.operation }),
    ...(row.actor.startsWith('job:') && { job: row.actor.slice('job:'.length) }),
    ...(row.reason !== null && { reason: row.reason }),
  }))
  return { customerID: person.id, createdDate: tx.now.toISOString(), isComplete: rows.length <= MAX_ROWS, data }
}

/** The same for the operator, of a business. */
export const accessesIn = (
  tx: SystemTx,
  realm: Tx['realm'],
  id: string,
  period: TimeRange,
): Promise<PersonalAccesses> => accessesOf({ ...tx, ...within(tx, realm) }, id, period)

const header = ['First (UTC)', 'Last (UTC)', 'Times', 'Who', 'What data', 'What was done', 'Why']

/** The report as a file to hand to the person. */
export function accessesCsv({ data }: PersonalAccesses): string {
  const lines = data.map((row) => [
    ...[row.firstDate, row.lastDate, row.times, whoInWords(row.who), kindWords[row.data], verbWords[row.did]],
    whyInWords(row),
  ])
  // The byte order mark tells Excel that the file is UTF-8.
  return `\uFEFF${[header, ...lines].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('')}`
}
