import { AppError } from '../../../domain/errors.ts'

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

export const PAGE = { default: 100, max: 200 } as const
/** Of one group, and operations of one PATCH. */
const MAX_VALUES = 5000

export interface Paging {
  startIndex: number
  count: number
}

/** A refusal with the `scimType` of RFC 7644, 3.12. */
export const refusal = (scimType: string, message: string): AppError =>
  new AppError('VALIDATION_FAILED', message, { extra: { scimType } })

const taken = (what: string): AppError =>
  new AppError('USER_EXISTS', `There is one with this ${what} already`, { extra: { scimType: 'uniqueness' } })
export const nameTaken = (): AppError => taken('name')
export const emailTaken = (): AppError => taken('e-mail address')

/** Counts from 1; what is out of bounds is the nearest that is not (RFC 7644, 3.4.2.4). */
export function readPaging({ startIndex, count }: Record<string, string | undefined>): Paging {
  const whole = (text: string | undefined, otherwise: number) => {
    if (text === undefined || text === '') return otherwise
    if (!/^-?\d{1,9}$/.test(text)) throw refusal('invalidValue', 'startIndex and count are whole numbers')
    return Number(text)
  }
  return {
    startIndex: Math.max(1, whole(startIndex, 1)),
    count: Math.min(PAGE.max, Math.max(0, whole(count, PAGE.default))),
  }
}

type Fields = Record<string, unknown>

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @throws invalidSyntax */
function readObject(body: unknown): Fields {
  if (!isObject(body)) throw refusal('invalidSyntax', 'The body must be a JSON object')
  return body
}

/** Attributes have the same name in any case (RFC 7643, 2.1). */
function fieldOf(fields: Fields, name: string): unknown {
  if (Object.hasOwn(fields, name)) return fields[name]
  const found = Object.keys(fields).find((one) => one.toLowerCase() === name.toLowerCase())
  return found === undefined ? undefined : fields[found]
}

/** The query of a POST to `.search`, in the texts of an address (RFC 7644, 3.4.3). @throws invalidSyntax */
export function readSearch(body: unknown): Record<string, string | undefined> {
  const fields = readObject(body)
  const text = (name: string): string | undefined => {
    const value = fieldOf(fields, name)
    return value === undefined || value === null ? undefined : String(value)
  }
  const [filter, startIndex, count] = [text('filter'), text('startIndex'), text('count')]
  return { filter, startIndex, count, attributes: text('attributes'), excludedAttributes: text('excludedAttributes') }
}

export interface Operation {
  op: 'add' | 'replace' | 'remove'
  /** Lower case, without the schema; empty: the value has the attributes. */
  path: string
  /** Of a filter in the path: `members[value eq "…" or value eq "…"]`. */
  filterValues?: string[]
  value: unknown
}

const PATH = /^([a-z][\w$-]*)(?:\[([^\]]*)\])?(?:\.([a-z][\w$-]*))?$/i
const CHOICE = /^\s*([\w.]+)\s+eq\s+(?:"([^"]*)"|(true|false))\s*$/i

/** Reads a PATCH in the spellings of Okta (`replace` with an object) and Entra ID (`Replace` with a path). @throws */
export function readPatch(body: unknown): Operation[] {
  const fields = readObject(body)
  // Some providers leave the schema of the message out.
  const schemas = fieldOf(fields, 'schemas') ?? [PATCH_SCHEMA]
  if (!Array.isArray(schemas) || !schemas.includes(PATCH_SCHEMA)) {
    throw refusal('invalidSyntax', `schemas must have ${PATCH_SCHEMA}`)
  }
  const operations = fieldOf(fields, 'Operations')
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MAX_VALUES) {
    throw refusal('invalidSyntax', `Operations must be a list of 1 to ${MAX_VALUES}`)
  }
  return operations.flatMap((one) => readOperation(readObject(one)))
}

function readOperation(fields: Fields): Operation[] {
  const op = String(fieldOf(fields, 'op')).toLowerCase()
  if (op !== 'add' && op !== 'replace' && op !== 'remove') {
    throw refusal('invalidSyntax', 'op must be add, replace or remove')
  }
  const path = fieldOf(fields, 'path')
  const value = fieldOf(fields, 'value')
  if (path !== undefined && path !== null && typeof path !== 'string')
    throw refusal('invalidPath', 'path must be a text')
  if (path) return [{ op, value, ...readPath(path) }]
  if (op === 'remove') throw refusal('noTarget', 'A removal needs a path')
  return Object.entries(readObject(value)).map(([name, part]) => ({ op, value: part, ...readPath(name) }))
}

function readPath(path: string): Pick<Operation, 'path' | 'filterValues'> {
  const bare = path.replace(/^urn:ietf:params:scim:schemas:core:2\.0:(User|Group):/i, '')
  // An attribute of another schema is known to somebody else: it is not kept.
  if (/^(urn:|schemas$)/i.test(bare)) return { path: 'unknown' }
  const [, name, filter, part] = PATH.exec(bare) ?? []
  if (name === undefined) throw refusal('invalidPath', 'The path is not one of this resource')
  const whole = (part === undefined ? name : `${name}.${part}`).toLowerCase()
  if (filter === undefined) return { path: whole }
  const choices = filter.split(/\s+or\s+/i).map((one) => CHOICE.exec(one))
  const read = choices.flatMap((one) => (one ? [{ by: one[1]?.toLowerCase(), value: one[2] ?? one[3] ?? '' }] : []))
  if (read.length !== choices.length) throw refusal('invalidPath', 'The path is not one of this resource')
  // One address is kept, that of work: another kind of address is not.
  if (whole.startsWith('emails') && !read.some(meansWorkAddress)) return { path: 'unknown' }
  return { path: whole, filterValues: read.map(({ value }) => value) }
}

const meansWorkAddress = ({ by, value }: { by: string | undefined; value: string }): boolean =>
  by === 'type' ? value.toLowerCase() === 'work' : by !== 'primary' || value.toLowerCase() === 'true'

/** What is kept of a person. */
export interface UserFields {
  userName: string
  externalId: string | null
  active: boolean
  email: string
  displayName: string | null
  givenName: string | null
  familyName: string | null
}

const LONGEST = 254

/** @throws invalidValue */
function textOf(value: unknown, name: string): string | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'string' || value.length > LONGEST) throw refusal('invalidValue', `${name} must be a short text`)
  if (value.includes('\0') || !value.isWellFormed())
    throw refusal('invalidValue', `${name} has characters that cannot be stored`)
  return value.trim() || null
}

function requiredText(value: unknown, name: string): string {
  const text = textOf(value, name)
  if (text === null) throw refusal('invalidValue', `${name} is missing`)
  return text
}

/** Entra ID sends the texts "True" and "False", its older form in a list of one. @throws invalidValue */
function flagOf(sent: unknown, name: string): boolean {
  const value = Array.isArray(sent) && sent.length === 1 && isObject(sent[0]) ? fieldOf(sent[0], 'value') : sent
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value.toLowerCase() : ''
  if (text === 'true' || text === 'false') return text === 'true'
  throw refusal('invalidValue', `${name} must be true or false`)
}

const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)

/** The address of a list: the primary one, that of work, or the first. */
function emailIn(value: unknown): string | null {
  const list = (Array.isArray(value) ? value : [value]).filter(isObject)
  const is = (name: string, text: string) => (one: Fields) => String(fieldOf(one, name)).toLowerCase() === text
  const chosen = list.find(is('primary', 'true')) ?? list.find(is('type', 'work')) ?? list[0]
  return chosen ? textOf(fieldOf(chosen, 'value'), 'emails.value') : null
}

/** The address that counts: of `emails`, or a `userName` that is one. @throws invalidValue */
function addressOf(email: string | null, userName: string): string {
  const address = (email ?? userName).toLowerCase()
  if (!isEmail(address)) throw refusal('invalidValue', 'emails needs an e-mail address, or userName must be one')
  return address
}

/** Reads a whole user. What a replacement leaves out is unset, but for `active`. @throws invalidValue, invalidSyntax */
export function readUser(body: unknown, before?: UserFields): UserFields {
  const fields = readObject(body)
  const userName = requiredText(fieldOf(fields, 'userName'), 'userName')
  const name = fieldOf(fields, 'name')
  const names = isObject(name) ? name : {}
  const active = fieldOf(fields, 'active')
  return {
    userName,
    externalId: textOf(fieldOf(fields, 'externalId'), 'externalId'),
    active: active === undefined || active === null ? (before?.active ?? true) : flagOf(active, 'active'),
    email: addressOf(emailIn(fieldOf(fields, 'emails')), userName),
    displayName: textOf(fieldOf(fields, 'displayName'), 'displayName'),
    givenName: textOf(fieldOf(names, 'givenName'), 'name.givenName'),
    familyName: textOf(fieldOf(names, 'familyName'), 'name.familyName'),
  }
}

/** A user after the operations. Attributes that are not kept change nothing. @throws invalidValue, invalidPath */
export function patchUser(before: UserFields, operations: readonly Operation[]): UserFields {
  const after = { ...before }
  for (const { op, path, value: sent } of operations) {
    const value = op === 'remove' ? undefined : sent
    if (path === 'username') after.userName = requiredText(value, 'userName')
    else if (path === 'externalid') after.externalId = textOf(value, 'externalId')
    else if (path === 'active') after.active = flagOf(value, 'active')
    else if (path === 'displayname') after.displayName = textOf(value, 'displayName')
    else if (path === 'name.givenname') after.givenName = textOf(value, 'name.givenName')
    else if (path === 'name.familyname') after.familyName = textOf(value, 'name.familyName')
    else if (path === 'name') setNames(after, value)
    else if (path === 'emails.value') after.email = addressOf(textOf(value, 'emails.value'), after.userName)
    else if (path === 'emails') after.email = addressOf(emailIn(value), after.userName)
  }
  return after
}

function setNames(after: UserFields, value: unknown): void {
  const names = isObject(value) ? value : {}
  after.givenName = textOf(fieldOf(names, 'givenName'), 'name.givenName')
  after.familyName = textOf(fieldOf(names, 'familyName'), 'name.familyName')
}

export interface GroupFields {
  displayName: string
  externalId: string | null
  /** The IDs of its users. */
  members: string[]
}

function membersOf(value: unknown): string[] {
  if (value === undefined || value === null) return []
  const list = Array.isArray(value) ? value : [value]
  if (list.length > MAX_VALUES) throw refusal('tooMany', `A request names at most ${MAX_VALUES} members`)
  return [...new Set(list.map((one) => requiredText(fieldOf(readObject(one), 'value'), 'members.value')))]
}

/** @throws invalidValue, invalidSyntax */
export function readGroup(body: unknown): GroupFields {
  const fields = readObject(body)
  return {
    displayName: requiredText(fieldOf(fields, 'displayName'), 'displayName'),
    externalId: textOf(fieldOf(fields, 'externalId'), 'externalId'),
    members: membersOf(fieldOf(fields, 'members')),
  }
}

/** A group after the operations. @throws invalidValue, invalidPath */
export function patchGroup(before: GroupFields, operations: readonly Operation[]): GroupFields {
  const after = { ...before }
  for (const operation of operations) {
    const { op, path, value: sent } = operation
    const value = op === 'remove' ? undefined : sent
    if (path === 'displayname') after.displayName = requiredText(value, 'displayName')
    else if (path === 'externalid') after.externalId = textOf(value, 'externalId')
    else if (path === 'members') after.members = patchMembers(after.members, operation)
  }
  return after
}

function patchMembers(before: readonly string[], { op, value, filterValues }: Operation): string[] {
  if (filterValues && op !== 'remove') throw refusal('invalidPath', 'Only a removal may name one member')
  const named = filterValues ?? membersOf(value)
  if (op === 'replace') return named
  if (op === 'add') return [...new Set([...before, ...named])]
  // A removal without a value removes all (RFC 7644, 3.5.2.2); one of an empty list removes nobody.
  if (!filterValues && (value === undefined || value === null)) return []
  const gone = new Set(named)
  return before.filter((id) => !gone.has(id))
}
