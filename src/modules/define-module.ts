import type { ProcessContext } from '../platform/database/process-context.ts'
import type { DB } from '../platform/database/schema.gen.ts'
import type { TimeColumn } from '../platform/database/time-column.ts'
import type { Tx } from '../platform/database/tx.ts'
import type { Route, UnnamedRoute } from '../platform/http/route.ts'
import type { AppJob } from '../platform/jobs/context.ts'
import type { AnySealed } from '../platform/sealing/seal-rows.ts'
import type { SealedBytes } from '../platform/sealing/sealed-bytes.ts'

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

/** What a module declares of one of its tables, which no other module writes. */
export interface Table {
  /** Who writes it, as a sentence with the files: what another module calls instead. */
  written: string
  /** Why every module may read it, also those above its owner. */
  readByAll?: string
  /** The values that its rows seal: sealed and packed by jobs, sealed anew by a rotation of the keys. */
  sealed?: readonly AnySealed[]
  /** Its rows refer to files: they are moved, sealed anew and deleted with their rows. */
  files?: SealedBytes
  /** Every column of the type timestamptz. */
  times?: Readonly<Record<string, Time>>
}

export type Tables = Readonly<Record<string, Table>>

/** Of a table that the database has: every time, and none that it lacks. */
type Whole<T extends Tables> = {
  [K in keyof T]: K extends keyof DB
    ? [TimeColumn<K>] extends [never]
      ? unknown
      : { times: Readonly<Record<TimeColumn<K>, Time>> }
    : unknown
}

/** Declares tables. It does not compile while a time of one is not declared. */
export const defineTables = <const T extends Tables>(tables: T & Whole<T>): T => tables

/** The exports of a file of routes, by their operations' names; those of some are composed from what modules declare. */
export type RouteFile =
  | Readonly<Record<string, UnnamedRoute>>
  | ((modules: readonly Module[]) => Readonly<Record<string, UnnamedRoute>>)

type Counts = Readonly<Record<string, number>>

/** What a module does in a sandbox. */
export interface InSandbox {
  /** Removes what a sandbox made. Called from the last module to the first; returns how much of what went. */
  reset?(tx: Tx): Promise<Counts> | Promise<void>
  /** Moves what `times` says back by `ms` milliseconds. Kits are locked before. Returns how much of what fell due by it. */
  passTime?(tx: Tx, ms: number): Promise<Counts> | Promise<void>
}

/**
 * A module as one value: what it has and what is to be done with it. HTTP, OpenAPI, jobs, sealing, key rotation, files, the
 * sandbox, the export and the erasure of people read it.
 */
export interface Module {
  /** The name of its folder. */
  name: string
  routes?: readonly RouteFile[]
  jobs?: readonly AppJob[]
  tables?: Tables
  /** Files that read tables of modules below, against the order, each with its reason. */
  readsBelow?: readonly { file: string; tables: readonly string[]; why: string }[]
  sandbox?: InSandbox
}

/** Declares a module. */
export const defineModule = <const M extends Module>(module: M): M => module

/** The modules of this process, in order. The context holds them without their type, which would be an import in a circle. */
export const modulesOf = (context: ProcessContext): readonly Module[] => context.modules as readonly Module[]

const tablesIn = (modules: readonly Module[]): Table[] =>
  modules.flatMap(({ tables }) => (tables ? Object.values(tables) : []))

/** Every table's sealed values. */
export const sealedTablesOf = (modules: readonly Module[]): AnySealed[] =>
  tablesIn(modules).flatMap(({ sealed }) => sealed ?? [])

/** Every table whose rows refer to a file, by their column `file`. Versions before kept the bytes in the row. */
export const tablesOfFilesOf = (modules: readonly Module[]): SealedBytes[] =>
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

/** Everything that the modules do later. */
export const jobsOf = (modules: readonly Module[]): readonly AppJob[] => modules.flatMap(({ jobs = [] }) => jobs)
