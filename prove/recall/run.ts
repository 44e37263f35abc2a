import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { allOperatorScopes } from '../../src/domain/scopes.ts'
import { type Caller, caller } from '../../test/harness/caller.ts'
import { CORE } from '../../test/harness/orders.ts'
import { type Subject, startSubject } from '../crash/service.ts'
import type { Figure } from '../record.ts'
import { COMPONENT, holds, isRejected, isReplaced, isTold, type Kit, kitsOf, LOT, write } from './world.ts'

export interface Plan {
  kits: number
  kills: number
  checkout: string
  say(line: string): void
}

const READY_MS = 240_000
const DONE_MS = 1_800_000
const BUSINESSES = 4

/** Recalls a lot, kills the service while it works, and compares every kit with what should have become of it. */
export async function run({ kits: count, kills, checkout, say }: Plan): Promise<Figure[]> {
  const subject = await startSubject(undefined, { checkout })
  try {
    await subject.untilReady(READY_MS)
    const operator = await operatorOf(subject)
    const admin = await subject.connect()
    const { rows } = await admin.query<{ id: number }>(`select id from realms where mode = 'live' order by id`)
    const kits = kitsOf(
      count,
      rows.map(({ id }) => id),
    )
    await write(admin, kits)
    say(`${count.toLocaleString('en')} kits written`)
    const wanted = { kind: 'componentLot', subject: COMPONENT, lot: LOT }
    const preview = await timed(() => operator.get(`/recalls/preview?${new URLSearchParams(wanted)}`))
    const begun = await timed(() => operator.post('/recalls', { ...wanted, reason: 'Not sterile', grade: 'II' }))
    const { id } = begun.reply.body
    const found = await admin.query<{ id: string }>('select kit_id as id from recall_kits where recall_id = $1', [id])
    const wrong = difference(kits.filter(holds), found.rows)
    say(`found ${found.rows.length} in ${begun.seconds} s`)
    const started = performance.now()
    await admin.end()
    const killed = await killing(subject, { kills, total: found.rows.length, say })
    await untilDone(operator, id)
    const seconds = Math.round((performance.now() - started) / 100) / 10
    const trace = await timed(() => operator.get(`/lots/${LOT}?size=250`))
    const holder = kits.find(holds)
    const back = await timed(() => operator.get(`/kits/${holder?.id}/lots`))
    const csv = await timed(() => operator.get(`/recalls/${id}`, { accept: 'text/csv' }))
    const lots: { subject: string; lot: string }[] = back.reply.body.lots
    const after = await subject.connect()
    const figures = await outcomes(after, kits, 1)
    await after.end()
    await operator.post('/recalls', { ...wanted, reason: 'Not sterile at all', grade: 'I' })
    const killedAgain = await killing(subject, { kills, total: found.rows.length, say })
    await untilDone(operator, id)
    const last = await subject.connect()
    const worse = await outcomes(last, kits, 2)
    await last.end()
    return [
      { name: 'kits', actual: count },
      { name: 'kits that hold the lot', actual: preview.reply.body.kits, expected: kits.filter(holds).length },
      { name: 'holders that were not found', actual: wrong.missing, expected: 0 },
      { name: 'kits found that do not hold it', actual: wrong.extra, expected: 0 },
      { name: 'preview', actual: preview.seconds, expected: 5, atMost: true, unit: 's' },
      { name: 'every holder found and stopped', actual: begun.seconds, expected: 10, atMost: true, unit: 's' },
      { name: 'from the lot to its people', actual: trace.seconds, expected: 5, atMost: true, unit: 's' },
      {
        name: 'kits of all lots with that number',
        actual: trace.reply.body.pagination.total,
        expected: ofNumber(kits),
      },
      { name: 'from a person’s kit to the lot', actual: back.seconds, expected: 1, atMost: true, unit: 's' },
      {
        name: 'lots of that kit that are the recalled one',
        actual: lots.filter((one) => one.subject === COMPONENT && one.lot === LOT).length,
        expected: 1,
      },
      {
        name: 'lines of the report',
        actual: csv.reply.text.trim().split('\n').length - 1,
        expected: found.rows.length,
      },
      { name: 'kills', actual: killed, expected: kills },
      { name: 'all kits done after', actual: seconds, unit: 's' },
      ...figures,
      { name: 'kills once it is worse', actual: killedAgain, expected: kills },
      ...worse.map((figure) => ({ ...figure, name: `once it is worse, ${figure.name}` })),
    ]
  } finally {
    await subject.stop()
  }
}

/** What the recalled number is on: the lancets, and the swabs that only have the same number. */
const ofNumber = (kits: readonly Kit[]): number =>
  kits.filter(({ make, state }) => make?.part?.[1] === LOT && state.name !== 'notPacked').length

async function timed<R>(work: () => Promise<R>): Promise<{ reply: R; seconds: number }> {
  const started = performance.now()
  const reply = await work()
  return { reply, seconds: Math.round((performance.now() - started) / 10) / 100 }
}

async function operatorOf(subject: Subject): Promise<Caller> {
  const command = async (...args: string[]) => {
    const { code, stdout, stderr } = await subject.command(...args)
    if (code !== 0) throw new Error(stderr)
    return JSON.parse(stdout)
  }
  for (let n = 1; n <= BUSINESSES; n++)
    await command('business', 'create', '--name', `Clinic ${n}`, '--panels', CORE, '--credits', '10', '--json')
  const scopes = allOperatorScopes.join(',')
  const { token } = await command('operator-token', 'create', '--name', 'proof', '--scopes', scopes, '--json')
  return caller(subject.url, token, { prefix: '/operator/v1' })
}

function difference(wanted: readonly Kit[], found: readonly { id: string }[]) {
  const ids = new Set(found.map(({ id }) => id))
  const right = new Set(wanted.map(({ id }) => id))
  return {
    missing: wanted.filter(({ id }) => !ids.has(id)).length,
    extra: [...ids].filter((id) => !right.has(id)).length,
  }
}

interface Killing {
  kills: number
  total: number
  say(line: string): void
}

/** Kills the service each time that a further part of the kits is done. */
async function killing(subject: Subject, { kills, total, say }: Killing): Promise<number> {
  let killed = 0
  let admin = await subject.connect()
  while (killed < kills) {
    const { rows } = await admin.query<{ done: number }>(
      'select count(*)::int as done from recall_kits where done_at is not null',
    )
    const done = rows[0]?.done ?? 0
    if (done >= total) break
    if (done < (total * (killed + 1)) / (kills + 2)) {
      await delay(50)
      continue
    }
    subject.kill('all')
    killed++
    say(`kill ${killed} of ${kills} after ${done} of ${total} kits`)
    await admin.end().catch(() => undefined)
    await delay(500)
    await subject.untilReady(READY_MS)
    admin = await subject.connect()
  }
  await admin.end()
  return killed
}

async function untilDone(operator: Caller, id: string): Promise<void> {
  for (const deadline = performance.now() + DONE_MS; ; await delay(500)) {
    const reply = await operator.get(`/recalls/${id}`).catch(() => undefined)
    if (reply?.body?.state === 'done') return
    if (performance.now() > deadline) throw new Error(`the recall is not done: ${reply?.text}`)
  }
}

/** What became of each kit, by what the database has, against what should have. `told`: how often people and businesses are told. */
async function outcomes(admin: Client, kits: readonly Kit[], told: number): Promise<Figure[]> {
  const counted = async (text: string) =>
    new Map((await admin.query<{ id: string; n: number }>(text)).rows.map(({ id, n }) => [id, n]))
  const compare = (
    name: string,
    counts: ReadonlyMap<string, number>,
    isExpected: (kit: Kit) => boolean,
    times = 1,
  ): Figure[] => [
    { name: `${name}: kits with`, actual: counts.size, expected: kits.filter(isExpected).length },
    {
      name: `${name}: kits with too few or too many`,
      actual: kits.filter((kit) => (counts.get(kit.id) ?? 0) !== (isExpected(kit) ? times : 0)).length,
      expected: 0,
    },
  ]
  return [
    ...compare(
      'events',
      await counted(`select kit_id as id, count(*)::int as n from events where type = 'kit.recalled' group by 1`),
      holds,
      told,
    ),
    ...compare(
      'e-mails',
      await counted(`select kit_id as id, count(*)::int as n from emails where kind like 'recalled\\_%' group by 1`),
      isTold,
      told,
    ),
    ...compare(
      'free kits',
      await counted(
        `select replacement_for as id, count(*)::int as n from kits where replacement_for is not null group by 1`,
      ),
      isReplaced,
    ),
    ...compare(
      'rejected samples',
      await counted(
        `select k.id, 1 as n from kits k join recall_kits r on r.kit_id = k.id where 'rejected' = any(r.done) and k.sample_status = 'rejected'`,
      ),
      isRejected,
    ),
  ]
}
