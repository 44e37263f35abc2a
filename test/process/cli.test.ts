import { readdir, readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { program } from '../../src/cli/program.ts'
import { randomBase62 } from '../../src/domain/ids.ts'
import { allScopes } from '../../src/domain/scopes.ts'
import type { Caller } from '../harness/caller.ts'
import { type CommandLine, commandLine } from '../harness/command-line.ts'
import { runKitlane } from '../harness/kitlane.ts'
import { databaseOf, withDatabase } from '../harness/urls.ts'
import { ownWorld, type World } from '../harness/world.ts'

let world: World
let cli: CommandLine

beforeAll(async () => {
  world = await ownWorld('breaks the ledger')
  cli = await commandLine(world.urls.owner, world.encryptionKey)
})
afterAll(async () => {
  await world.stop()
  await cli.close()
})

const { run, on, json, refusal }: Omit<CommandLine, 'folder' | 'close'> = {
  run: (...args) => cli.run(...args),
  on: (...args) => cli.on(...args),
  json: (...args) => cli.json(...args),
  refusal: (...args) => cli.refusal(...args),
}

const order = {
  recipient: {
    first_name: 'Ana',
    last_name: 'Lee',
    email: 'ana@example.com',
    address: { street1: '1 Main Street', city: 'Springfield', state: 'IL', zip: '62701' },
  },
  kit_types: [{ kitType: 'ED1NL4E3L' }],
}
const kitOf = async (caller: Caller): Promise<string> => {
  const { body } = await caller.post('/create-order', order)
  return (await caller.get(`/orders/${body.orderId}`)).body.kits[0].kitID
}

test('business create makes a business that can order at once, and set itself up', async () => {
  const made = await json('business', 'create', '--name', 'Acme', '--panels', 'ED1NL4E3L,ED14KY98G', '--credits', '7')
  expect(made).toEqual({
    business: { id: expect.stringMatching(/^biz_/), name: 'Acme' },
    liveToken: expect.stringMatching(/^kl_live_/),
    sandboxToken: expect.stringMatching(/^kl_test_/),
  })
  const credits = (token: string) => world.as(token).get('/credits')
  expect((await credits(made.liveToken)).body).toEqual([
    { type: 'ED14KY98G', credits: 7 },
    { type: 'ED1NL4E3L', credits: 7 },
  ])
  expect((await credits(made.sandboxToken)).body[0].credits).toBe(1000)
  for (const token of [made.liveToken, made.sandboxToken]) {
    const changed = await world.as(token).request('PATCH', '/settings', { publishing: 'auto' })
    expect([changed.status, changed.body.publishing]).toEqual([200, 'auto'])
  }
  expect(await json('business', 'list')).toContainEqual(made.business)
  expect((await run('business', 'list')).stdout).toContain(`${made.business.id}  Acme`)
  expect(await refusal('business', 'create', '--name', 'Typo', '--panels', 'NO_SUCH')).toMatch(/no panel NO_SUCH/)
})

test('business set changes settings of both modes and refuses what is none', async () => {
  const { id, live, sandbox } = await world.business({ name: 'Settled' })
  const changed = await json('business', 'set', '--business', 'Settled', 'publishing=auto', 'lowCreditThreshold=5')
  expect(changed).toEqual({
    business: { id, name: 'Settled' },
    changed: { publishing: 'auto', lowCreditThreshold: 5 },
  })
  for (const caller of [live, sandbox]) {
    expect((await caller.get('/settings')).body).toMatchObject({ publishing: 'auto', lowCreditThreshold: 5 })
  }
  expect(await refusal('business', 'set', '--business', id, 'color=red')).toMatch(/no setting color.*publishing/)
  expect(await refusal('business', 'set', '--business', id, 'publishing=later')).toMatch(
    /^publishing must be manual or auto\./,
  )
  expect(await refusal('business', 'set', '--business', 'Nobody', 'publishing=auto')).toMatch(/no such business/)
})

test('a token is made with its scopes, listed without its text, and refused once it is revoked', async () => {
  const { id } = await world.business()
  const args = ['--business', id, '--mode', 'sandbox', '--name', 'till', '--scopes', 'credits:read']
  const made = await json('token', 'create', ...args, '--expires', '2190-01-01')
  expect(made).toMatchObject({ id: expect.stringMatching(/^tok_/), name: 'till', mode: 'sandbox' })
  const till = world.as(made.token)
  expect((await till.get('/credits')).status).toBe(200)
  expect((await till.get('/settings')).status).toBe(403)

  const listed = await run('token', 'list', '--business', id, '--json')
  // Its last use is listed too, a few seconds after it.
  expect(
    JSON.parse(listed.stdout).map(({ lastUsedDate: _, ...token }: Record<string, unknown>) => token),
  ).toContainEqual({
    id: made.id,
    name: 'till',
    mode: 'sandbox',
    hint: made.token.slice(-4),
    scopes: ['credits:read'],
    createdDate: expect.any(String),
    expiresDate: '2190-01-01T00:00:00.000Z',
  })
  expect(listed.stdout).not.toContain(made.token)

  expect(await json('token', 'revoke', '--token', made.id)).toEqual({ id: made.id, revoked: true })
  await expect.poll(async () => (await till.get('/credits')).status).toBe(401)
  expect(await refusal('token', 'revoke', '--token', made.id)).toMatch(/no such token/)
  expect(await refusal('token', 'create', ...args, '--expires', '2020-01-01')).toMatch(/a day to come/)
  const nameless = await json('token', 'create', '--business', id, '--mode', 'sandbox')
  expect(nameless).toMatchObject({ name: 'Command line', mode: 'sandbox' })
})

test('credits are granted and taken back, and the ledger is verified', async () => {
  const { id, live } = await world.business({ credits: 10 })
  const args = ['credits', 'grant', '--business', id, '--type', 'ED1NL4E3L', '--amount']
  expect(await json(...args, '5', '--note', 'invoice 7')).toMatchObject({ mode: 'live', granted: 5, credits: 15 })
  expect(await json(...args, '-3')).toMatchObject({ granted: -3, credits: 12 })
  expect((await live.get('/credits')).body).toContainEqual({ type: 'ED1NL4E3L', credits: 12 })
  expect(await refusal(...args, '-13')).toBe('Not enough credits.\n')
  expect(await refusal(...args, 'many')).toMatch(/^--amount must be a whole number/)

  expect(await json('verify-ledger')).toMatchObject({ ok: true, orders: [] })
  const owner = await world.owner()
  await owner.query(
    `update credit_balances set available = 13 where available = 12 and kit_type = 'ED1NL4E3L' and realm_id in (select id from realms where business_id = $1)`,
    [id],
  )
  const broken = await run('verify-ledger')
  expect(broken).toMatchObject({ code: 1, stdout: expect.stringContaining('WRONG: the ledger says 12 available') })
})

test('a panel of your own can be made and provisioned at a price', async () => {
  const { id, live } = await world.business({ panels: ['ED1NL4E3L'] })
  const panel = ['--type', 'ACME_HEART', '--name', 'Acme Heart', '--biomarkers', 'ldl,hdl']
  expect(await json('panel', 'create', ...panel)).toEqual({
    kitType: 'ACME_HEART',
    name: 'Acme Heart',
    biomarkers: ['ldl', 'hdl'],
  })
  expect(await refusal('panel', 'create', ...panel)).toMatch(/exists already/)
  await json('panel', 'provision', '--business', id, '--panels', 'ACME_HEART', '--price', '9900', '--currency', 'EUR')
  const { body: panels } = await live.get('/panels')
  expect(panels.at(-1)).toMatchObject({ kitType: 'ACME_HEART', price: { amount: 9900, currency: 'EUR' } })
})

test('a user gets a password that is shown once and kept as a hash', async () => {
  const { id } = await world.business()
  const email = `ana-${randomBase62(6)}@clinic.example`
  const made = await json('user', 'create', '--email', email, '--role', 'business', '--business', id)
  expect(made).toEqual({
    user: { id: expect.stringMatching(/^usr_/), email, role: 'business-admin', businessId: id },
    password: expect.stringMatching(/^(\w{5}-){3}\w{5}$/),
  })
  const owner = await world.owner()
  const { rows } = await owner.query('select password_hash from users where email = $1', [email])
  expect(rows[0].password_hash).toMatch(/^\$argon2id\$/)
  const again = ['user', 'create', '--email', email.toUpperCase(), '--role', 'business', '--business', id] as const
  expect(await refusal(...again)).toMatch(/exists already/)
  expect(await refusal('user', 'create', '--email', email, '--role', 'business')).toMatch(/needs --business/)
})

test('a user gets further roles, is listed, gets a new password, and is shut out', async () => {
  const { id, name } = await world.business()
  const email = `bo-${randomBase62(6)}@clinic.example`.toLowerCase()
  const { password } = await json('user', 'create', '--email', email, '--role', 'operator')
  const second = await json('user', 'create', '--email', email, '--role', 'business-viewer', '--business', id)
  expect(second).toEqual({ user: expect.objectContaining({ email, role: 'business-viewer', businessId: id }) })
  const users = await json('user', 'list')
  const mine = users.find((one: { email: string }) => one.email === email)
  expect(mine).toMatchObject({ id: second.user.id, disabled: false, invited: false, totpEnabled: false })
  expect(mine.memberships).toHaveLength(2)
  expect(mine.memberships).toContainEqual({ role: 'business-viewer', business: name })
  const signIn = async (password: string) => (await world.anonymous.post('/session', { email, password })).status
  expect(await signIn(password)).toBe(200)
  const reset = await json('user', 'reset-password', '--email', email)
  expect([await signIn(password), await signIn(reset.password)]).toEqual([401, 200])
  await json('user', 'disable', '--email', email)
  expect(await signIn(reset.password)).toBe(401)
})

test('a role is not given to an account that others may have made; a new password makes it theirs', async () => {
  const { id } = await world.business()
  const email = `cy-${randomBase62(6)}@clinic.example`.toLowerCase()
  const owner = await world.owner()
  await owner.query("insert into users (id, email, password_hash, created_at) values ($1, $1, 'x', now())", [email])
  const give = ['user', 'create', '--email', email, '--role', 'business', '--business', id] as const
  expect(await refusal(...give)).toMatch(/user reset-password --drop-codes/)
  await json('user', 'reset-password', '--email', email, '--drop-codes')
  expect(await json(...give)).toEqual({ user: expect.objectContaining({ email, role: 'business-admin' }) })
})

test('the operator moves live kits, but makes no results', async () => {
  const { live, sandbox } = await world.business()
  const kit = await kitOf(live)
  const moved = await json('kit', 'advance', '--kit', kit.toLowerCase(), '--status', 'kitDelivered')
  expect(moved).toMatchObject({ kitID: kit, kitStatus: 'delivered' })
  expect((await live.get(`/kits?kitID=${kit}`)).body[0].kitStatus).toBe('delivered')
  const mock = await kitOf(sandbox)
  const refusals = await Promise.all([
    refusal('kit', 'advance', '--kit', kit, '--status', 'kitInTransit'),
    refusal('kit', 'advance', '--kit', kit, '--status', 'sampleReceived'),
    refusal('kit', 'advance', '--kit', kit, '--status', 'reportReady'),
    refusal('kit', 'advance', '--kit', kit, '--status', 'flying'),
    refusal('kit', 'advance', '--kit', mock, '--status', 'kitDelivered'),
    refusal('report', 'publish', '--report', 'R000000000'),
  ])
  expect(refusals).toEqual([
    expect.stringContaining('Possible now: '),
    expect.stringContaining('Nobody has registered this kit'),
    expect.stringContaining('laboratory'),
    expect.stringMatching(/^--status must be /),
    expect.stringContaining('sandbox kit'),
    expect.stringContaining('no such report'),
  ])
})

test('a report that was reviewed is published from the command line, once', async () => {
  const { sandbox } = await world.business()
  const kit = await kitOf(sandbox)
  const { body: resulted } = await sandbox.post(`/sandbox/kits/${kit}/scenario`, { scenario: 'resulted' })
  const customer = `/customers/${resulted.customerID}`
  const [{ id, status }] = (await sandbox.get(customer)).body.reports
  expect(status).toBe('inReview')
  expect((await sandbox.get(`${customer}/reports/${id}`)).status).toBe(404)
  expect(await json('report', 'publish', '--report', id)).toEqual({ id, status: 'published' })
  expect((await sandbox.get(`${customer}/reports/${id}`)).status).toBe(200)
  expect(await refusal('report', 'publish', '--report', id)).toMatch(/Only a report that is in review/)
})

test('migrate prepares an empty database; before it, commands say to run it', async () => {
  const name = `${databaseOf(world.urls)}_new`
  const owner = await world.owner()
  await owner.query('reset role')
  await owner.query(`create database ${name}`)
  const url = withDatabase(world.urls, name).owner
  const before = await on(url, 'business', 'list')
  expect(before).toMatchObject({ code: 1, stderr: expect.stringContaining('kitlane migrate') })
  const first = JSON.parse((await on(url, 'migrate', '--json')).stdout)
  expect(first.applied).toContain('0188_first_release')
  expect(JSON.parse((await on(url, 'migrate', '--json')).stdout)).toEqual({ applied: [], version: first.version })
  expect(JSON.parse((await on(url, 'business', 'list', '--json')).stdout)).toEqual([])

  const future = new Client({ connectionString: url })
  await future.connect()
  await future.query(`insert into schema_migrations (version, name, checksum) values (9999, 'future', '')`)
  await future.end()
  expect((await on(url, 'business', 'list')).stderr).toMatch(/newer release/)
})

test('token create says which scopes a token lacks unless they are asked for, and it lacks them', async () => {
  const { id } = await world.business({ name: 'Scoped' })
  const { stdout } = await run('token', 'create', '--help')
  const [, lacked = ''] = /default: all but ([^)]+)\)/.exec(stdout.replaceAll(/\s+/g, ' ')) ?? []
  await json('token', 'create', '--business', id, '--mode', 'live', '--name', 'plain')
  const made = (await json('token', 'list', '--business', id)).find(({ name }: { name: string }) => name === 'plain')
  expect(lacked.split(', ')).toEqual(allScopes.filter((scope) => !made.scopes.includes(scope)))
})

test('what is mistyped is answered with a sentence and exit code 1', async () => {
  const answers = await Promise.all([
    refusal('business', 'create'),
    refusal('business', 'create', '--name', ''),
    refusal('user', 'create', '--email', 'ana', '--role', 'boss'),
    refusal('order', 'pay', '--business', 'x', '--order', 'O1', '--with', 'cash'),
  ])
  expect(answers).toEqual([
    expect.stringMatching(/^--name is missing\.\nFor example: kitlane business create/),
    expect.stringMatching(/^--name must not be empty\./),
    expect.stringMatching(/^--email must be an e-mail address\.\n--role must be operator, business or one of/),
    expect.stringMatching(/^--with must be credits, card or/),
  ])
  const [typo, option] = await Promise.all([run('busines', 'list'), run('business', 'list', '--colour')])
  expect(typo).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining("Unknown command 'busines'.") })
  expect(option).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining("Unknown option '--colour'.") })
})

/** Every command with an action, by its full name. */
function commands(parent: Command, name = 'kitlane'): { name: string; command: Command }[] {
  return parent.commands.flatMap((command) => {
    const full = `${name} ${command.name()}`
    return command.commands.length > 0 ? commands(command, full) : [{ name: full, command }]
  })
}

test('every command explains itself with an example that it understands, and is in docs/cli.md', async () => {
  const overview = await readFile('docs/cli.md', 'utf8')
  const all = commands(await program())
  expect(all.length).toBeGreaterThan(20)
  const unknownOptions = (command: Command, line: string) =>
    (line.match(/ --[a-z][a-z\d-]*/g) ?? []).filter((flag) => !command.options.some(({ long }) => ` ${long}` === flag))
  for (const { name, command } of all) {
    let help = ''
    const writeOut = (text: string) => {
      help += text
    }
    command.configureOutput({ writeOut }).outputHelp()
    const [, example = ''] = /^Example:\n {2}(.*)$/m.exec(help) ?? []
    expect(example, name).toContain(name)
    const [, documented = ''] = new RegExp(`^- \`(${name}(?: .*)?)\`: \\S.*$`, 'm').exec(overview) ?? []
    expect(documented, name).not.toBe('')
    expect([unknownOptions(command, example), unknownOptions(command, documented)], name).toEqual([[], []])
  }
  const rows = overview.match(/^- `kitlane .*$/gm) ?? []
  expect(rows).toHaveLength(all.length)
})

test('a command loads its own module only, and is the same as among all', async () => {
  const whole = await program()
  const helpOf = (root: Command) => (name: string) =>
    root.commands.find((command) => command.name() === name)?.helpInformation()
  for (const name of whole.commands.map((command) => command.name())) {
    const alone = await program(name)
    expect(alone.commands.length, name).toBeLessThanOrEqual(2)
    expect(helpOf(alone)(name), name).toBe(helpOf(whole)(name))
  }
})

// Other tests run commands in-process. These four run the real program to show that it behaves the same.
test('as a program, a command on a DATABASE_URL answers and refuses alike, and leaves no files', async () => {
  const { id } = await world.business({ name: 'Spawned' })
  const lines = [
    ['business', 'list', '--json'],
    ['token', 'revoke', '--token', 'tok_none', '--json'],
    ['busines', 'list'],
    ['kit', 'advance', '--help'],
  ]
  const spawned = (line: string[]) => runKitlane(line, { DATABASE_URL: world.urls.owner }, cli.folder)
  const [listed, ...others] = await Promise.all(lines.map(spawned))
  expect(JSON.parse(listed?.stdout ?? '')).toContainEqual({ id, name: 'Spawned' })
  const inProcess = await Promise.all(lines.map((line) => run(...line)))
  expect([listed, ...others]).toEqual(inProcess)
  expect(inProcess.map(({ code }) => code)).toEqual([0, 1, 1, 0])
  expect(await readdir(cli.folder)).toEqual([])
})
