// The same writes by pgbench, triggers included: one transaction per order, prepared statements, no validation. It has
// the role and the row-level security of the service's group commits.
import { spawn } from 'node:child_process'
import { access, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CORE } from '../../test/harness/orders.ts'
import type { Business } from './environment.ts'

// Where Debian puts it. Any version works with any server.
const DEBIAN = '/usr/lib/postgresql'

export async function findPgbench(): Promise<string | undefined> {
  const versions = await readdir(DEBIAN).catch(() => [])
  const places = [
    ...versions
      .sort()
      .reverse()
      .map((version) => `${DEBIAN}/${version}/bin/pgbench`),
    '/usr/bin/pgbench',
  ]
  for (const place of places) {
    if (
      await access(place).then(
        () => true,
        () => false,
      )
    )
      return place
  }
  return undefined
}

/**
 * Writes an order's rows as the service does. Texts hold no colon, which would name a variable. Locks are taken as late
 * as the numbers that they give out allow.
 */
function script(businesses: readonly Business[]): string {
  const ids = businesses.map(({ realmId }) => realmId)
  // Live realms of the bench's businesses: every other number.
  const [first = 0, second = first + 2] = ids
  return `
\\set n random(0, ${ids.length - 1})
\\set realm ${first} + :n * ${second - first}
\\set a random(0, 1099511627775)
\\set b random(0, 1099511627775)
\\set c random(0, 1099511627775)
begin;
select insufficient_credits, purchasing_enabled,
  exists (select from payment_methods m where m.realm_id = r.id and m.is_default) from realms r where r.id = :realm;
select price_minor, currency from realm_panels where realm_id = :realm and kit_type = '${CORE}';
insert into idempotency_keys (realm_id, key, fingerprint, status, headers, body, created_at)
  values (:realm, 'key-' || :a || '-' || :b, decode(md5(:a::text) || md5(:b::text), 'hex'), 201, '{}', '{"orderId": "O' || :a || '"}', now());
update credit_balances set available = available - 1 where realm_id = :realm and kit_type = '${CORE}' returning available \\gset
update realm_counters set orders = orders + 1, kits = kits + 1, transfers = transfers + 1, ordered_at = greatest(ordered_at, now())
  where realm_id = :realm returning orders, kits, transfers \\gset
insert into orders (realm_id, id, seq, status, sku, quantity, first_name, last_name, email, address, external_id, external_tags, notify,
    payment_method, payment_status, created_at)
  values (:realm, 'O' || :a, :orders, 'created', '${CORE}', 1, 'Ada', 'Example ' || :n, 'person' || :n || '@example.test',
    '{"street1": "1 Main Street", "city": "Springfield", "state": "IL", "zip": "62701", "country": "US"}', 'order-' || :n, '{}', false,
    'credits', 'paid', now());
insert into order_items (realm_id, order_id, kit_type, quantity) values (:realm, 'O' || :a, '${CORE}', 1);
insert into credit_transfers (realm_id, seq, kit_type, kind, from_account, to_account, amount, available_after, order_id, actor, at)
  values (:realm, :transfers, '${CORE}', 'order', 'available', 'spent', 1, :available, 'O' || :a, 'token-tok_0123456789abcdefghijkl', now());
insert into kits (realm_id, id, seq, order_id, kit_type, live, kit_status, sample_status, report_status, progress, created_at, updated_at)
  values (:realm, 'K' || :b, :kits, 'O' || :a, '${CORE}', true, 'preparing', 'awaitingCollection', 'notStarted',
    '{"orderPlaced": "2026-01-01T00.00.00.000Z"}', now(), now());
insert into events (realm_id, id, type, order_id, data, occurred_at, actor)
  values (:realm, 'evt_0123456789' || :c || :a, 'order.created', 'O' || :a,
    '{"orderID": "O0123456789", "status": "created", "createdDate": "2026-01-01T00.00.00.000Z", "items": [{"kitType": "${CORE}", "quantity": 1}], "externalID": "order-1"}',
    now(), 'token-tok_0123456789abcdefghijkl');
insert into audit_entries (realm_id, at, actor, action, object_type, object_id, request_id, ip)
  values (:realm, now(), 'token-tok_0123456789abcdefghijkl', 'order.placed', 'order', 'O' || :a, 'req_0123456789abcdefghijkl', '127.0.0.1');
commit;
`
}

/** Returns orders per second. */
export async function runPgbench(
  program: string,
  {
    superUrl,
    businesses,
    clients,
    seconds,
  }: { superUrl: string; businesses: readonly Business[]; clients: number; seconds: number },
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'kitlane-pgbench-'))
  try {
    const file = join(folder, 'order.sql')
    await writeFile(file, script(businesses))
    const url = new URL(superUrl)
    const args = [
      '-n',
      '-M',
      'prepared',
      '-f',
      file,
      '-c',
      String(clients),
      '-j',
      '2',
      '-T',
      String(seconds),
      '-h',
      url.hostname,
    ]
    const child = spawn(program, [...args, '-p', url.port, '-U', url.username, url.pathname.slice(1)], {
      env: {
        PATH: process.env.PATH,
        PGPASSWORD: decodeURIComponent(url.password),
        // Set once per connection. The service sets these in each transaction, so this favours pgbench.
        PGOPTIONS: `-c role=kitlane_placement -c kitlane.realms=,${businesses.map(({ realmId }) => realmId).join(',')},`,
      },
    })
    let output = ''
    child.stdout.on('data', (text) => (output += text))
    child.stderr.on('data', (text) => (output += text))
    await new Promise((resolve) => child.once('close', resolve))
    const rate = Number(/tps = ([\d.]+)/.exec(output)?.[1])
    if (!rate || /error|ERROR/.test(output.replace(/number of failed transactions: 0.*/g, '')))
      throw new Error(`pgbench failed:\n${output}`)
    return rate
  } finally {
    await rm(folder, { recursive: true })
  }
}
