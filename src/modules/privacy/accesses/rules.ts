import type { AccessRow } from '../../audit/person-queries.ts'
import type { CallerRow } from './object-queries.ts'
import type { Access, AccessedKind, AccessVerb } from './schema.ts'

type Who = Access['who']

const roleNames: Record<string, string> = {
  'operator-admin': 'administrator',
  fulfilment: 'packer',
  lab: 'laboratory staff',
  reviewer: 'reviewer',
  'business-admin': 'administrator',
  'business-viewer': 'viewer',
}
const LABORATORY = ['lab', 'reviewer']

/** Who an actor of the audit is, in words for the person whose data it was. */
export function whoIs(actor: string, found: CallerRow | undefined): Who {
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
  data: 'answers',
  upload: 'file',
  unassessed_result: 'results',
  critical_result: 'results',
  lab_message: 'labMessage',
  email: 'email',
}
export const kindOf = (objectType: string): AccessedKind => kinds[objectType] ?? 'record'

/** What was done, from the name of an audit entry: `report.viewed` is a reading. */
export function verbOf({ action, isEverything }: Pick<AccessRow, 'action' | 'isEverything'>): AccessVerb {
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
export function whoInWords({ kind, role, name }: Who): string {
  const more = [role, name && (role ? `(${name})` : name)].filter(Boolean).join(' ')
  return more ? `${whoWords[kind]}: ${more}` : whoWords[kind]
}

export const kindWords: Record<AccessedKind, string> = {
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

export const verbWords: Record<AccessVerb, string> = {
  read: 'read',
  listed: 'shown in a list',
  exported: 'exported to a file',
  changed: 'changed or processed',
  refused: 'refused',
}

/** Why: the reason that was given, or else the request or the job. */
export function whyInWords({ reason, operation, job }: Pick<Access, 'reason' | 'operation' | 'job'>): string {
  if (reason) return reason
  if (operation) return `request ${operation}`
  return job ? `job ${job}` : ''
}
