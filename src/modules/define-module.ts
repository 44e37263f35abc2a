import type { z } from 'zod'
import type { Finding } from '../domain/finding.ts'
import type { SessionScope } from '../domain/scopes.ts'
import type { ProcessContext } from '../platform/database/process-context.ts'
import type { DB } from '../platform/database/schema.gen.ts'
import type { TimeColumn } from '../platform/database/time-column.ts'
import type { Actor, Database, Realm, SystemTx, Tx } from '../platform/database/tx.ts'
import type { Hook } from '../platform/http/hooks.ts'
import type { Page } from '../platform/http/pages.ts'
import type { PerformRequest } from '../platform/http/perform.ts'
import type { RequestListener } from '../platform/http/request-log.ts'
import type { Route, UnnamedRoute } from '../platform/http/route.ts'
import type { PortListener } from '../platform/http/tcp-port.ts'
import type { AppJob } from '../platform/jobs/context.ts'
import type { Logger } from '../platform/log.ts'
import type { RealmPorts } from '../platform/ports/realm-ports.ts'
import type { AnySealed } from '../platform/sealing/seal-rows.ts'
import type { SealedBytes } from '../platform/sealing/sealed-bytes.ts'
import type { Settings } from '../settings.ts'
import type { EventType } from './events/event-types.ts'
import type { AttentionKind } from './insights/overview/schema.ts'
import type { ChangedKit, ComparedWith, KitFact, MeasuredWith, RefusedSpecimen } from './kits/changed-kit.ts'
import type { MessageRow } from './lab/messages/queries.ts'
import type { Waiting } from './portal/words.ts'
import type { ChangedReport } from './reports/queries.ts'
import type { OpenUnassessed } from './reports/unassessed/queries.ts'
import type { AuthorityStatement, StatementEffect } from './reports/unassessed/schema.ts'

/** Whether an advance of a sandbox's clock moves a time back, and why. */
export interface Time {
  is: 'moves' | 'stays'
  why: string
}

export const moves = (why: string): Time => ({ is: 'moves', why })
export const stays = (why: string): Time => ({ is: 'stays', why })

export const made = stays('when it was made, and nothing that ends is counted from it')
export const happened = stays('when it happened, which is never rewritten')
export const appended = stays('rows of this table are only appended')
export const access = stays('tokens, sessions and sign-in are as safe in a sandbox as in live')
export const operators = stays('belongs to the operator or the installation, not to a sandbox')
export const worker = stays('what a process holds or has finished, by its real time')
export const purged = stays('only records of live end by age')

/** What a table holds of people: a row of docs/data-map.md, in the section `in`. */
export interface PeopleData {
  in: 'retention' | 'person' | 'results' | 'passing' | 'staff'
  what: string
  /** Whether it is sealed, or how else it is protected. */
  sealed: string
  /** What of a row is in clear beside it. */
  clear?: string
  /** How long a row stays. */
  kept: string
  /** Scopes, or who else. */
  readBy: string
  /** What the erasure of the person does. */
  erasure?: string
}

/** What a module declares of one of its tables, which no other module writes. */
export interface Table {
  /** Who writes it, as a sentence with the files: what another module calls instead. */
  written: string
  /** What it holds of people. A table with sealed values holds something of them. */
  people?: PeopleData
  /** Why every module may read it, also those above its owner. */
  readByAll?: string
  /** The values that its rows seal: sealed and packed by jobs, sealed again by a rotation of the keys. */
  sealed?: readonly AnySealed[]
  /** Its rows refer to files: they are moved, sealed again and deleted with their rows. */
  files?: SealedBytes
  /** Why rows of a sandbox stay when it is reset. Without it they go, by `reset` of a module or with rows that they refer to. */
  staysInReset?: string
  /** Every column of the type timestamptz. */
  times?: Readonly<Record<string, Time>>
}

export type Tables = Readonly<Record<string, Table>>

/** Every time that the table has in the database, and no other. */
type Times<K, Given> = K extends keyof DB
  ? { times?: Readonly<Record<Exclude<keyof Given, TimeColumn<K>>, never>> } & ([TimeColumn<K>] extends [never]
      ? unknown
      : { times: Readonly<Record<TimeColumn<K>, Time>> })
  : unknown

type Whole<T extends Tables> = {
  [K in keyof T]: Times<K, T[K]['times']> &
    Readonly<Partial<Record<Exclude<keyof T[K], keyof Table>, never>>> &
    (T[K] extends { sealed: unknown } ? { people: PeopleData } : unknown)
}

/** Declares tables. It does not compile while a time of one, or what a sealed one holds of people, is not declared. */
export const defineTables = <const T extends Tables>(tables: T & Whole<T>): T => tables

/** The exports of a file of routes, by their operations' names; those of some are composed from what modules declare. */
export type RouteFile =
  | Readonly<Record<string, UnnamedRoute>>
  | ((modules: readonly Module[]) => Readonly<Record<string, UnnamedRoute>>)

/** What an event brings, as the OpenAPI document says it. */
export interface EventDocument {
  summary: string
  description: string
  data: z.ZodType
}

type Counts = Readonly<Record<string, number>>

/** A person, as every module knows them. */
export interface Person {
  id: number
  email: string
  name: string
  externalId: string | null
}

/** What one record says about who a person is. */
export interface IdentityRecord {
  email?: string | null
  name?: string | null
  firstName?: string | null
  lastName?: string | null
  phone?: string | null
  externalId?: string | null
  address?: unknown
}

/** A part of what a person's export shows: `definePart` makes one. */
export interface ExportPart {
  /** What a caller needs besides the scope of customers: without it the part is an empty list, and `leftOut` names it. */
  scope?: SessionScope
  shape: z.ZodType
  of(tx: Tx, person: PersonToShow): Promise<unknown>
}

/** Declares a part of the export, whose values fit its shape. */
export const definePart = <S extends z.ZodType>(
  part: Omit<ExportPart, 'shape' | 'of'> & { shape: S; of(tx: Tx, person: PersonToShow): Promise<z.input<S>> },
): ExportPart => part

/** A person whose data is shown, with the orders of their kits and those for them. */
export interface PersonToShow extends Person {
  orderIds: readonly string[]
}

/** A person who is erased, with their kits and the orders of these. Kits are locked. */
export interface PersonToErase extends Person {
  kitIds: readonly string[]
  kitOrderIds: readonly string[]
}

/** What a module held of a person who is erased. */
export interface Erased {
  /** How many rows, by their name in the audit, which leaves zeros out. */
  counts?: Counts
  /** The identity that they hold: events lose it, and e-mails to their addresses go. */
  records?: readonly IdentityRecord[]
  /** Where else the person was written to. */
  addresses?: readonly string[]
  /** What is kept sealed while a legal hold stands. */
  underHold?: readonly { source: string; recordedAt: Date; record: object }[]
}

/** What a module does for a person. `privacy` itself does it for kits, orders, reports and customers. */
export interface ForPerson {
  /** By the name in the answer. */
  exports?: Readonly<Record<string, ExportPart>>
  /** By what else the audit may name them: IDs by the type of the object. */
  audited?(tx: Tx, person: PersonToShow): Promise<Readonly<Record<string, readonly string[]>>>
  /** Where they are written to besides their e-mail address. */
  addresses?(tx: Tx, person: Person): Promise<readonly string[]>
  /** Deletes or empties what is about the person. Called from the last module to the first, before orders lose their recipient. */
  erase?(tx: Tx, person: PersonToErase): Promise<Erased> | Promise<void>
}

export interface InSandbox {
  /** Removes what a sandbox made. Called from the last module to the first; returns how much of what went. */
  reset?(tx: Tx): Promise<Counts> | Promise<void>
  /** Moves what `times` says back by `ms` milliseconds. Kits are locked before. Returns how much of what fell due by it. */
  advanceClock?(tx: Tx, ms: number): Promise<Counts> | Promise<void>
}

/** With what a module plays other systems. */
export interface Playing {
  settings: Settings
  database: Database
  actor: Actor
  realmPorts(realm: Realm): RealmPorts
  /** Posts to the running service, at the address that other systems call. Returns the status; undefined: no answer. */
  send(path: string, message: { headers: Record<string, string>; body: string }): Promise<number | undefined>
}

/**
 * A module as one value: what it has and what is to be done with it. HTTP, OpenAPI, jobs, sealing, key rotation, files, the
 * sandbox, the export and the erasure of people read it.
 */
export interface Module {
  /** The name of its folder. */
  name: string
  /** What the tags of routes are about; one that several modules use is in one of them. */
  tags?: Readonly<Record<string, string>>
  routes?: readonly RouteFile[]
  jobs?: readonly AppJob[]
  /** Pages of people tested. */
  pages?: readonly Page[]
  /** Where other systems report, without a token. */
  hooks?(database: Database): readonly Hook[]
  /** Hears of each request with a token of a business, where the settings ask for it. */
  requests?(of: { database: Database; settings: Settings; log: Logger }): RequestListener | undefined
  /** Takes what comes by another way than HTTP, if the settings ask for it. What arrives is performed as a request of the API. */
  listens?(of: {
    settings: Settings
    log: Logger
    perform: PerformRequest
    now: () => Date
  }): Promise<Pick<PortListener, 'stop'> | undefined>
  /** Plays what other systems send it, for `kitlane doctor --integrations`. What it writes it takes back. */
  plays?(playing: Playing): AsyncIterable<Finding>
  /** What a business should look at, for its first page. */
  attention?: { kind: AttentionKind; count(tx: Tx): Promise<{ count: number; example: string | null }> }
  /** Hears of kits that changed, in the transaction that changed them, whoever did. */
  afterKitChanges?(tx: Tx, changed: readonly ChangedKit[]): Promise<void>
  /** Hears what became known of locked kits without a step, in the transaction that wrote it. */
  afterKitFacts?(tx: Tx, kitIds: readonly string[], fact: KitFact): Promise<void>
  /** Hears what a laboratory's message says of the sample of a live kit, whether or not its results count. */
  afterSpecimen?(tx: Tx, specimen: RefusedSpecimen): Promise<void>
  /** Which of a laboratory's waiting messages have results that somebody has to be told, and by when. */
  duesOfMessages?(
    tx: SystemTx,
    messages: readonly MessageRow[],
  ): Promise<ReadonlyMap<string, { conditions: string[]; deadlineDate: string }>>
  /** Hears with what the results of a kit were measured, before they are put on it. */
  beforeResults?(tx: Tx, kitId: string, measuredWith: readonly MeasuredWith[]): Promise<void>
  /** Hears which of these a message that counts names for values that the kit's report shows, and which for others. */
  afterComparison?(tx: Tx, kitId: string, measuredWith: readonly ComparedWith[]): Promise<void>
  /** Hears of each new version of a report, whether or not anybody may read it, in the transaction that wrote it. */
  afterReport?(tx: Tx, changed: ChangedReport): Promise<void>
  /** Hears that results were kept that could not be judged, in the transaction that kept them. */
  afterUnassessed?(tx: Tx, of: { kitId: string | null; reportId: string | null }): Promise<void>
  /** Whether somebody has to be told of a result that could not be judged, and nobody says yet that they know it. */
  isToBeTold?(tx: Tx, result: OpenUnassessed): Promise<boolean>
  /** Hears what a person says of the authority who puts such a result aside, or discards a laboratory's message for a kit. */
  afterStatement?(
    tx: Tx,
    of: OpenUnassessed | { kitId: string; conditions: readonly string[] },
    statement: AuthorityStatement,
  ): Promise<StatementEffect>
  /** Hears of components that a lot of kits turned out to be built from. */
  afterLotBuilt?(tx: SystemTx, lot: { product: string; lot: string }): Promise<void>
  /** What the kits of a person wait for, by the kit's ID: their page says it in the place of what comes next. */
  waitingOf?(tx: Tx, customerId: number): Promise<ReadonlyMap<string, Waiting>>
  /** What it tells businesses by webhook. */
  events?: Readonly<Partial<Record<EventType, EventDocument>>>
  tables?: Tables
  /** Files that read tables of modules below, against the order, each with its reason. */
  readsBelow?: readonly { file: string; tables: readonly string[]; why: string }[]
  person?: ForPerson
  sandbox?: InSandbox
}

/** Declares a module. What it does not know, such as a misspelt `erase`, does not compile. */
export const defineModule = (module: Module): Module => module

/** The modules of this process, in order. The context holds them without their type, which would be an import in a circle. */
export const modulesOf = (context: ProcessContext): readonly Module[] => context.modules as readonly Module[]

const tablesIn = (modules: readonly Module[]): Table[] =>
  modules.flatMap(({ tables }) => (tables ? Object.values(tables) : []))

/** Every table's sealed values. */
export const sealedTablesOf = (modules: readonly Module[]): AnySealed[] =>
  tablesIn(modules).flatMap(({ sealed }) => sealed ?? [])

/** Every table whose rows refer to a file, by their column `file`. Versions before kept the bytes in the row. */
export const fileTablesOf = (modules: readonly Module[]): SealedBytes[] =>
  tablesIn(modules).flatMap(({ files }) => files ?? [])

/** The name of an export is the operation's in OpenAPI and the client. */
const named = (file: Readonly<Record<string, UnnamedRoute>>): Route[] =>
  Object.entries(file).map(([id, route]) => ({ ...route, id }) as Route)

const isOfOperator = ({ audience }: Route): boolean => audience === 'operator'

/** Every route of the modules, those of the operator last. */
export const routesOf = (modules: readonly Module[]): readonly Route[] =>
  modules
    .flatMap(({ routes = [] }) => routes)
    .flatMap((file) => named(typeof file === 'function' ? file(modules) : file))
    .sort((a, b) => Number(isOfOperator(a)) - Number(isOfOperator(b)))

/** The tags of all routes. */
export const tagsOf = (modules: readonly Module[]): Readonly<Record<string, string>> =>
  Object.assign({}, ...modules.map(({ tags }) => tags))

/** Everything that the modules do later. */
export const jobsOf = (modules: readonly Module[]): readonly AppJob[] => modules.flatMap(({ jobs = [] }) => jobs)
