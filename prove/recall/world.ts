import type { Client } from 'pg'
import { newKitIds } from '../../src/domain/ids.ts'
import { CORE } from '../../test/harness/orders.ts'

export const COMPONENT = 'Lancet 28G'
export const LOT = 'C77'

/** How a kit stands: its three statuses and its progress until then. */
interface State {
  name: string
  statuses: readonly [string, string, string]
  steps: number
  isRegistered: boolean
}

const steps = [
  'orderPlaced',
  'kitPreparing',
  'kitInTransit',
  'kitDelivered',
  'kitRegistered',
  'sampleInTransit',
  'sampleReceived',
  'reportReady',
]
const states: readonly State[] = [
  { name: 'notPacked', statuses: ['preparing', 'awaitingCollection', 'notStarted'], steps: 1, isRegistered: false },
  { name: 'inTransit', statuses: ['inTransit', 'awaitingCollection', 'notStarted'], steps: 3, isRegistered: false },
  { name: 'delivered', statuses: ['delivered', 'awaitingCollection', 'notStarted'], steps: 4, isRegistered: false },
  { name: 'registered', statuses: ['registered', 'awaitingCollection', 'notStarted'], steps: 5, isRegistered: true },
  { name: 'sampleUnderWay', statuses: ['collected', 'inTransit', 'notStarted'], steps: 6, isRegistered: true },
  { name: 'atLaboratory', statuses: ['collected', 'received', 'notStarted'], steps: 7, isRegistered: true },
  { name: 'inReview', statuses: ['collected', 'resulted', 'inReview'], steps: 8, isRegistered: true },
  { name: 'published', statuses: ['collected', 'resulted', 'published'], steps: 8, isRegistered: true },
  { name: 'settled', statuses: ['collected', 'rejected', 'rejected'], steps: 7, isRegistered: true },
]
const replaced = ['inTransit', 'delivered', 'registered', 'sampleUnderWay', 'atLaboratory']

/** What a kit is made of. Those of `isBad` hold the lot that is recalled; the others only look as if. */
interface Make {
  product: string
  lot: string
  isBoxed: boolean
  isBad: boolean
  part?: readonly [component: string, lot: string]
}

const [ONE, OTHER] = ['09506000134352', '09506000134369']
const makes: readonly (Make | undefined)[] = [
  { product: ONE, lot: 'L1', isBoxed: true, isBad: true, part: [COMPONENT, LOT] },
  { product: CORE, lot: 'H1', isBoxed: false, isBad: true, part: [COMPONENT, LOT] },
  { product: ONE, lot: 'L2', isBoxed: true, isBad: false, part: [COMPONENT, 'C78'] },
  { product: OTHER, lot: 'L1', isBoxed: true, isBad: false, part: [COMPONENT, 'C78'] },
  { product: CORE, lot: 'H2', isBoxed: false, isBad: false, part: ['Swab', LOT] },
  { product: ONE, lot: 'L3', isBoxed: true, isBad: false },
  undefined,
]

export interface Kit {
  n: number
  id: string
  realmId: number
  state: State
  make: Make | undefined
  isNotified: boolean
}

export const holds = ({ state, make }: Kit): boolean => make?.isBad === true && state.name !== 'notPacked'
export const isReplaced = (kit: Kit): boolean => holds(kit) && replaced.includes(kit.state.name)
export const isTold = (kit: Kit): boolean => holds(kit) && (kit.state.isRegistered || kit.isNotified)
export const isRejected = (kit: Kit): boolean => holds(kit) && kit.state.name === 'atLaboratory'

/** Every state with every make, of every business. */
export function kitsOf(count: number, realmIds: readonly number[]): Kit[] {
  const ids = newKitIds(count)
  return Array.from({ length: count }, (_, n) => ({
    n,
    id: String(ids[n]),
    realmId: realmIds[n % realmIds.length] ?? 0,
    state: states[n % states.length] as State,
    make: makes[n % makes.length],
    isNotified: n % 5 < 3,
  }))
}

const PART = 5000

/** Writes the kits with their orders, people, boxes and lots, past the service. */
export async function write(admin: Client, kits: readonly Kit[]): Promise<void> {
  const built = makes.flatMap((make) => make ?? [])
  await admin.query(`set session_replication_role = 'replica'`)
  for (const gtin of [ONE, OTHER])
    await admin.query(
      `insert into stock_products (gtin, kit_type, minimum_days_at_packing, register_days_before_expiry, changed_at)
       values ($1, $2, 60, 30, now())`,
      [gtin, CORE],
    )
  for (const { product, lot, part } of built) {
    await admin.query(`insert into kit_lots (product, lot, created_at) values ($1, $2, now())`, [product, lot])
    if (!part) continue
    await admin.query(
      `insert into component_lots (component, lot, expires_on, quantity, minimum_days_at_packing, received_at)
       values ($1, $2, now() + interval '2 years', 1000000, 60, now()) on conflict do nothing`,
      [...part],
    )
    await admin.query(`insert into kit_lot_components values ($1, $2, $3, $4)`, [product, lot, ...part])
  }
  for (let at = 0; at < kits.length; at += PART) await writePart(admin, kits.slice(at, at + PART))
  await admin.query(`
    update realm_counters c set orders = m.seq, kits = m.seq, customers = m.seq
    from (select realm_id, max(seq) as seq from kits group by realm_id) m where m.realm_id = c.realm_id`)
  await admin.query(`set session_replication_role = 'origin'`)
  await admin.query('vacuum analyze kits, orders, customers, stock_boxes, packed_lots')
}

const progressOf = ({ steps: count, name }: State) =>
  Object.fromEntries(
    [...steps.slice(0, count), ...(name === 'settled' ? ['sampleRejected'] : [])].map((step) => [
      step,
      '2026-11-01T00:00:00.000Z',
    ]),
  )

async function writePart(admin: Client, kits: readonly Kit[]): Promise<void> {
  const rows = JSON.stringify(
    kits.map(({ n, id, realmId, state, make, isNotified }) => ({
      n,
      id,
      realm: realmId,
      order: `O${n}`,
      seq: n + 1,
      notify: isNotified,
      kit: state.statuses[0],
      sample: state.statuses[1],
      report: state.statuses[2],
      progress: progressOf(state),
      registered: state.isRegistered,
      product: make?.product,
      lot: make?.lot,
      boxed: make?.isBoxed && state.name !== 'notPacked',
      packed: make && !make.isBoxed && state.name !== 'notPacked',
    })),
  )
  const from = `from json_to_recordset($1::json) as k(n bigint, id text, realm int, "order" text, seq bigint, notify boolean, kit text,
    sample text, report text, progress jsonb, registered boolean, product text, lot text, boxed boolean, packed boolean)`
  await admin.query(
    `insert into orders (realm_id, id, seq, status, sku, quantity, first_name, last_name, email, address, notify, payment_method,
       payment_status, created_at)
     select realm, "order", seq, 'created', '${CORE}', 1, 'Rea', 'Cipient', 'p' || n || '@people.test',
       '{"street1":"1 Road","city":"Town","state":"CA","zip":"12345","country":"US"}', notify, 'credits', 'paid', now() ${from}`,
    [rows],
  )
  await admin.query(
    `insert into customers (realm_id, id, seq, email, name, first_name, last_name, date_of_birth, gender, created_at)
     select realm, 900000000000 + n, seq, 'p' || n || '@people.test', 'Per Son', 'Per', 'Son', '1980-02-03', 'F', now() ${from} where registered`,
    [rows],
  )
  await admin.query(
    `insert into kits (realm_id, id, seq, order_id, kit_type, kit_status, sample_status, report_status, progress, customer_id,
       registered_email, registered_at, registration, created_at, updated_at, live)
     select realm, id, seq, "order", '${CORE}', kit, sample, report, progress, case when registered then 900000000000 + n end,
       case when registered then 'p' || n || '@people.test' end, case when registered then now() end,
       case when registered then '{"firstName":"Per","lastName":"Son","dateOfBirth":"1980-02-03","sex":"F"}'::jsonb end, now(), now(), true ${from}`,
    [rows],
  )
  await admin.query(
    `insert into stock_boxes (gtin, serial, lot, expires_on, place, state, realm_id, kit_id, register_by, received_at)
     select product, 'S' || n, lot, now() + interval '2 years', 'Main', 'bound', realm, id, now() + interval '1 year', now() ${from} where boxed`,
    [rows],
  )
  await admin.query(`insert into packed_lots select realm, id, product, lot ${from} where packed`, [rows])
}
