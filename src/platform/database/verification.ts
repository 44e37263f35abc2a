import { sql } from 'kysely'
import type { Actor, Database, SystemTx } from './tx.ts'

/** What is verified behind its back, and can be gone on with. */
type Verified = 'audit' | 'ledger'

interface VerificationRow<Head> {
  batch: number
  head: Head
  /** From the first row ever written, and not only what is new. */
  isWhole: boolean
  beganAt: Date
  /** Null: the pass is under way. */
  endedAt: Date | null
  isBroken: boolean
  /** Of the last whole pass that found nothing. */
  wholeBeganAt: Date | null
  wholeEndedAt: Date | null
}

/** The row and the position of each part, as of one moment: another process may begin the next pass at any time. */
async function selectVerification<Head, Part>(
  tx: SystemTx,
  name: Verified,
): Promise<{ row: VerificationRow<Head> | undefined; parts: Map<number, Part> }> {
  const found = await tx.maybeRow(sql<VerificationRow<Head> & { parts: { part: number; position: Part }[] }>`
    select batch, head, is_whole as "isWhole", began_at as "beganAt", ended_at as "endedAt", is_broken as "isBroken",
      whole_began_at as "wholeBeganAt", whole_ended_at as "wholeEndedAt",
      (select coalesce(jsonb_agg(jsonb_build_object('part', p.part, 'position', p.position)), '[]')
       from verified_parts p where p.name = v.name) as parts
    from verifications v where v.name = ${name}`)
  if (!found) return { row: undefined, parts: new Map() }
  const { parts, ...row } = found
  return { row, parts: new Map(parts.map(({ part, position }) => [part, position])) }
}

/** Keeps a batch. False if another process has kept one since `row.batch` was read. */
async function keepBatch<Head>(tx: SystemTx, name: Verified, row: VerificationRow<Head>): Promise<boolean> {
  const { batch, head, isWhole, beganAt, endedAt, isBroken, wholeBeganAt, wholeEndedAt } = row
  const written = await tx.run(sql`
    insert into verifications as v (name, batch, head, is_whole, began_at, ended_at, is_broken, whole_began_at, whole_ended_at)
    values (${name}, ${batch + 1}, ${JSON.stringify(head)}, ${isWhole}, ${beganAt}, ${endedAt}, ${isBroken}, ${wholeBeganAt}, ${wholeEndedAt})
    on conflict (name) do update set batch = excluded.batch, head = excluded.head, is_whole = excluded.is_whole,
      began_at = excluded.began_at, ended_at = excluded.ended_at, is_broken = excluded.is_broken,
      whole_began_at = excluded.whole_began_at, whole_ended_at = excluded.whole_ended_at
    where v.batch = ${batch}`)
  return written === 1
}

async function deleteParts(tx: SystemTx, name: Verified): Promise<void> {
  await tx.run(sql`delete from verified_parts where name = ${name}`)
}

async function upsertParts(tx: SystemTx, name: Verified, parts: readonly [number, unknown][]): Promise<void> {
  if (parts.length === 0) return
  const rows = JSON.stringify(parts.map(([part, position]) => ({ part, position })))
  await tx.run(sql`
    insert into verified_parts (name, part, position)
    select ${name}, part, position from json_to_recordset(${rows}::json) as p(part int, position jsonb)
    on conflict (name, part) do update set position = excluded.position`)
}

/** The next verification begins from the start. */
export async function forgetVerification(tx: SystemTx, name: Verified): Promise<void> {
  await tx.run(sql`
    update verifications set batch = batch + 1, is_broken = true, ended_at = coalesce(ended_at, ${tx.now}) where name = ${name}`)
}

/** How far a pass is: its own position, and that of each part. */
export interface Pass<Head, Part> {
  head: Head
  parts: ReadonlyMap<number, Part>
}

/** What a batch found, and where the pass is after it. */
export interface Batch<Head, Part, Finding> {
  head: Head
  /** The parts whose position it moved. */
  moved: readonly [number, Part][]
  /** Nothing is left of this pass. */
  isOver: boolean
  /** Something is not as it should be: the pass ends. */
  finding?: Finding
  /** Of the pass, 0 to 100. */
  percent: number
}

/** What is verified in batches. It only reads. */
export interface Verifier<Head, Part, Finding> {
  name: Verified
  /** A pass from where `last` ended to where all stands now; undefined where it cannot go on from there. */
  begin(tx: SystemTx, last: Pass<Head, Part> | undefined): Promise<Pass<Head, Part> | undefined>
  batch(tx: SystemTx, pass: Pass<Head, Part>): Promise<Batch<Head, Part, Finding>>
}

export interface VerifyOptions {
  /** `whole`: all that there is. Else what is new, and all where the last whole pass began so many ms ago. */
  which: 'whole' | { dueAfterMs: number }
  /** Forgets a pass that was interrupted. */
  fromStart?: boolean | undefined
  signal?: AbortSignal | undefined
  /** Called after each batch that is not the last one, with 0 to 100. */
  show?: ((percent: number) => void) | undefined
  /** Repeats the batches until one returns false; may wait between them, so that others are served. */
  repeat?: ((batch: () => Promise<boolean>) => Promise<void>) | undefined
}

export interface Run {
  /** False: interrupted, the next one goes on. */
  isOver: boolean
  /** When the interrupted pass began that this one went on with. */
  continued: Date | undefined
  /** When the last whole pass ended that found nothing. */
  wholeEndedAt: Date | null
}

interface Verification<Head, Part, Finding> extends Pass<Head, Part>, Run {
  finding: Finding | undefined
}

/** A whole pass in one transaction, which keeps nothing. */
export async function verifyIn<Head, Part, Finding>(
  tx: SystemTx,
  verifier: Verifier<Head, Part, Finding>,
): Promise<Pass<Head, Part> & { finding: Finding | undefined }> {
  let pass = await wholePass(tx, verifier)
  for (;;) {
    const batch = await verifier.batch(tx, pass)
    pass = movedOn(pass, batch)
    if (batch.isOver || batch.finding !== undefined) return { ...pass, finding: batch.finding }
  }
}

/**
 * Verifies in batches, each in a separate transaction, and stores its position: after a kill the next call continues there.
 * Several processes may do so at once.
 */
export async function verifyInBatches<Head, Part, Finding>(
  database: Database,
  actor: Actor,
  verifier: Verifier<Head, Part, Finding>,
  options: VerifyOptions,
): Promise<Verification<Head, Part, Finding>> {
  const first = await onePass(database, actor, verifier, options)
  if (!first.continued || !first.isOver || first.finding !== undefined) return first
  // What was written since the interrupted pass began.
  const rest = { ...options, which: { dueAfterMs: Number.POSITIVE_INFINITY }, fromStart: false }
  const second = await onePass(database, actor, verifier, rest)
  return { ...second, continued: first.continued }
}

async function onePass<Head, Part, Finding>(
  database: Database,
  actor: Actor,
  verifier: Verifier<Head, Part, Finding>,
  options: VerifyOptions,
): Promise<Verification<Head, Part, Finding>> {
  const { signal, show, repeat = untilFalse } = options
  const opened = await database.asSystem(actor, (tx) => open(tx, verifier, options))
  let state: State<Head, Part> = opened
  let finding: Finding | undefined
  await repeat(async () => {
    if (signal?.aborted) return false
    const done = await database.asSystem(actor, (tx) => oneBatch(tx, verifier, state))
    // Another process was faster: go on from where it is.
    state = done?.state ?? (await database.asSystem(actor, (tx) => reread(tx, verifier)))
    // What another process found, or that it forgot the pass, is not known here: verify again.
    if (!done && state.row.isBroken)
      state = await database.asSystem(actor, (tx) => open(tx, verifier, { ...options, fromStart: true }))
    finding = done?.batch.finding
    const goesOn = state.row.endedAt === null
    if (goesOn && done) show?.(done.batch.percent)
    return goesOn
  })
  const { head, parts, row } = state
  const continued = opened.isOpen ? opened.row.beganAt : undefined
  return { head, parts, finding, isOver: row.endedAt !== null, continued, wholeEndedAt: row.wholeEndedAt }
}

interface State<Head, Part> extends Pass<Head, Part> {
  row: VerificationRow<Head>
  /** The pass was under way already. */
  isOpen: boolean
}

const untilFalse = async (batch: () => Promise<boolean>) => {
  while (await batch());
}

const movedOn = <Head, Part>({ parts }: Pass<Head, Part>, { head, moved }: Batch<Head, Part, unknown>) => ({
  head,
  parts: new Map([...parts, ...moved]),
})

async function wholePass<Head, Part, Finding>(
  tx: SystemTx,
  verifier: Verifier<Head, Part, Finding>,
): Promise<Pass<Head, Part>> {
  const pass = await verifier.begin(tx, undefined)
  if (!pass) throw new Error(`a whole pass of ${verifier.name} does not begin`)
  return pass
}

/** Goes on with the pass under way, or begins one. */
async function open<Head, Part, Finding>(
  tx: SystemTx,
  verifier: Verifier<Head, Part, Finding>,
  { which, fromStart = false }: VerifyOptions,
): Promise<State<Head, Part>> {
  const { name } = verifier
  const { row: found, parts } = await selectVerification<Head, Part>(tx, name)
  if (found && found.endedAt === null && !fromStart && (found.isWhole || which !== 'whole'))
    return { head: found.head, parts, row: found, isOpen: true }
  const goesOn = found?.endedAt && !found.isBroken && !fromStart && which !== 'whole' && !isDue(found, tx.now, which)
  const next = goesOn ? await verifier.begin(tx, { head: found.head, parts }) : undefined
  const pass = next ?? (await wholePass(tx, verifier))
  const row: VerificationRow<Head> = {
    batch: found?.batch ?? 0,
    head: pass.head,
    isWhole: !next,
    beganAt: tx.now,
    endedAt: null,
    isBroken: false,
    wholeBeganAt: found?.wholeBeganAt ?? null,
    wholeEndedAt: found?.wholeEndedAt ?? null,
  }
  if (!(await keepBatch(tx, name, row))) return reread(tx, verifier)
  if (!next) await deleteParts(tx, name)
  await upsertParts(tx, name, [...pass.parts])
  return { ...pass, row: { ...row, batch: row.batch + 1 }, isOpen: false }
}

const isDue = ({ wholeBeganAt }: VerificationRow<unknown>, now: Date, { dueAfterMs }: { dueAfterMs: number }) =>
  dueAfterMs !== Number.POSITIVE_INFINITY && (!wholeBeganAt || now.getTime() - wholeBeganAt.getTime() >= dueAfterMs)

async function reread<Head, Part>(
  tx: SystemTx,
  { name }: Pick<Verifier<Head, Part, unknown>, 'name'>,
): Promise<State<Head, Part>> {
  const { row, parts } = await selectVerification<Head, Part>(tx, name)
  if (!row) throw new Error(`nothing is kept of the verification of ${name}`)
  return { head: row.head, parts, row, isOpen: true }
}

/** Undefined if another process was faster. It writes last: what has written delays the feed of events until it ends. */
async function oneBatch<Head, Part, Finding>(
  tx: SystemTx,
  verifier: Verifier<Head, Part, Finding>,
  { row, ...pass }: State<Head, Part>,
): Promise<{ state: State<Head, Part>; batch: Batch<Head, Part, Finding> } | undefined> {
  const batch = await verifier.batch(tx, pass)
  const isBroken = batch.finding !== undefined
  const endedAt = isBroken || batch.isOver ? tx.now : null
  const whole = endedAt && row.isWhole && !isBroken ? { wholeBeganAt: row.beganAt, wholeEndedAt: endedAt } : {}
  const progress = { ...row, head: batch.head, endedAt, isBroken, ...whole }
  if (!(await keepBatch(tx, verifier.name, progress))) return undefined
  await upsertParts(tx, verifier.name, batch.moved)
  const after = { ...movedOn(pass, batch), row: { ...progress, batch: row.batch + 1 } }
  return { state: { ...after, isOpen: pass.isOpen }, batch }
}
