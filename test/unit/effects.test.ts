import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { callers, effectsDocument, grantsOf, machinery, reachOf } from '../../src/cli/effects-document.ts'
import { type Effect, effects, type Grant, type LastingGrant, lastingGrants } from '../../src/domain/effects.ts'
import { allOperatorScopes, allScopes } from '../../src/domain/scopes.ts'
import { readOperations } from '../../src/mcp/operations.ts'
import { toolOf } from '../../src/mcp/tools.ts'
import { routes } from '../../src/modules/index.ts'
import { CSV } from '../../src/platform/http/csv.ts'
import { defineRoute, type Route } from '../../src/platform/http/route.ts'
import { exportedNames, reachIn } from '../harness/reach.ts'
import { read, trackedFiles } from '../harness/sources.ts'

// What each caller was granted is written out here, so that the test does not ask the code that it checks.

type Granted = Readonly<Record<string, readonly Effect[]>>

const ofBusiness: Granted = {
  'orders:read': ['sends-out'],
  // It deletes in the sandbox alone.
  'orders:write': ['spends', 'changes-who-is-told', 'deletes'],
  'kits:read': ['sends-out'],
  // A replacement of a kit is free, and is sent. Who registers a kit says whose e-mail hears of its report.
  'kits:write': ['spends', 'deletes', 'changes-who-is-told'],
  'customers:read': ['sends-out'],
  // What is added is published where the business lets reports publish themselves.
  'customers:write': ['deletes', 'changes-who-is-told', 'publishes'],
  'reports:review': ['publishes'],
  'payments:write': ['spends', 'deletes'],
  'webhooks:write': ['sends-out', 'changes-who-is-told', 'deletes'],
  // Of what is published: the texts that people agree to. Who disconnects a shop forgets its secrets.
  'settings:write': ['changes-who-is-told', 'publishes', 'deletes'],
  'account:admin': ['lets-in', 'deletes', 'sends-out'],
}

const ofOperator: Granted = {
  // The pack queue as a file is what shipping software needs: the addresses that the queue shows.
  // Whoever ends a recall of a kit lets the report go on that it held, which the business publishes without a review.
  fulfilment: ['changes-who-is-told', 'sends-out', 'publishes'],
  lab: ['publishes', 'sends-out', 'changes-who-is-told'],
  results: ['publishes'],
  // A person who sees results sends to an authority what waits for them.
  review: ['publishes', 'spends', 'sends-out'],
  // What a business ordered is paid as it asked for.
  approvals: ['spends'],
  catalogue: ['publishes'],
  businesses: ['spends', 'publishes', 'lets-in', 'changes-who-is-told', 'deletes'],
  // Who says where orders to laboratories go.
  access: ['lets-in', 'sends-out'],
  staff: ['lets-in', 'deletes'],
}

const granted = (by: Granted, held: Iterable<string>): Set<Effect> =>
  new Set([...held].flatMap((scope) => by[scope] ?? []))
const beyond = (reached: Iterable<Effect>, allowed: ReadonlySet<Effect>): Effect[] =>
  [...reached].filter((effect) => !allowed.has(effect))

const writes = routes.filter(({ method }) => method !== 'GET')
const everyGrant = Object.entries(lastingGrants) as [Grant, LastingGrant][]

it('a write that shows a record whose read is audited is audited as a read, too, but for what its caller wrote whole', () => {
  const business = routes.filter(({ audience }) => audience === 'business')
  const audited = new Set(
    business
      .filter(({ method, accesses }) => method === 'GET' && accesses)
      .flatMap(({ answers }) => Object.values(answers)),
  )
  const silent = business
    .filter(
      ({ method, accesses, answers }) =>
        method !== 'GET' && !accesses && Object.values(answers).some((one) => audited.has(one)),
    )
    .map(({ id }) => id)
  expect(silent).toEqual(['createCustomer', 'createCustomerAlias', 'createPlan'])
})

describe('a tool of an assistant', () => {
  it('says that it may destroy, unless it reads or only adds, which is written out here', async () => {
    const adds = ['createCustomer', 'sendTestReminder', 'testShop', 'testWebhook']
    const tools = (await readOperations()).map((operation) => ({ operation, tool: toolOf(operation) }))
    expect(tools.length).toBeGreaterThan(40)
    for (const { operation, tool } of tools) {
      const isRead = operation.method === 'GET' || operation.name === 'createQuote'
      const { readOnlyHint, destructiveHint } = tool.annotations ?? {}
      expect([tool.name, readOnlyHint]).toEqual([tool.name, isRead])
      if (!isRead) expect([tool.name, destructiveHint]).toEqual([tool.name, !adds.includes(tool.name)])
    }
    const ends = [
      'endPlan',
      'pausePlan',
      'skipPlanOrder',
      'skipWebhookDelivery',
      'cancelOrder',
      'cancelBulkOrderJob',
      'dismissShopOrder',
    ]
    for (const name of ends)
      expect(tools.find(({ tool }) => tool.name === name)?.tool.annotations?.destructiveHint, name).toBe(true)
  })

  it('has no tool for a route that declares an effect, but for the order that waits for a person', async () => {
    const withEffects = new Set(writes.filter(({ effects }) => (effects ?? []).length > 0).map(({ id }) => id))
    const offered = (await readOperations()).map(({ name }) => name).filter((name) => withEffects.has(name))
    expect(offered).toEqual(['createOrder'])
  })
})

describe('nobody reaches an effect that they were not granted:', () => {
  it('a token with one scope of a business, itself and by what it makes', () => {
    for (const scope of allScopes) {
      const { effects } = reachOf(new Set([scope]), 'business')
      expect([scope, beyond(effects, granted(ofBusiness, [scope]))]).toEqual([scope, []])
    }
  })

  it('a token with one scope of the operator', () => {
    for (const scope of allOperatorScopes) {
      const { effects } = reachOf(new Set<string>([scope]), 'operator')
      expect([scope, beyond(effects, granted(ofOperator, [scope]))]).toEqual([scope, []])
    }
  })

  it('no two scopes together reach what neither was granted', () => {
    for (const one of allScopes) {
      for (const other of allScopes) {
        const { effects } = reachOf(new Set([one, other]), 'business')
        expect([one, other, beyond(effects, granted(ofBusiness, [one, other]))]).toEqual([one, other, []])
      }
    }
  })

  it('what acts by itself does only what the scopes of its maker grant', () => {
    for (const [name, { effects, needs }] of everyGrant) {
      expect([name, beyond(effects, granted(ofBusiness, needs.business))]).toEqual([name, []])
    }
    for (const route of routes.filter(({ audience, grants }) => audience === 'operator' && grants)) {
      for (const grant of grantsOf(route)) {
        const { effects, needs } = lastingGrants[grant] as LastingGrant
        expect([route.id, grant, beyond(effects, granted(ofOperator, needs.operator))]).toEqual([route.id, grant, []])
      }
    }
  })

  it('a viewer spends, publishes, lets in and deletes nothing', () => {
    const viewer = callers.find(({ name }) => name === 'session: business-viewer')
    expect(viewer?.reach().effects).toEqual(new Set(['sends-out']))
    expect(viewer?.reach().grants.size).toBe(0)
  })

  it('a support access, and what is made in it, leaves nothing that lets in, sends out, spends or publishes later', () => {
    for (const { name, reach } of callers.filter((one) => one.name.includes('support access'))) {
      const left = [...reach().grants].filter((grant) => lastingGrants[grant].inSupportAccess !== 'ends')
      expect([name, left.flatMap((grant) => lastingGrants[grant].effects)]).toEqual([name, []])
    }
  })

  it('an assistant: no tool has an effect, but for the order that waits until a person pays it', async () => {
    const byId = new Map<string, Route>(routes.map((route) => [route.id, route]))
    const operations = await readOperations()
    const acting = operations.filter(({ name, method }) => method !== 'GET' && byId.get(name)?.effects?.length !== 0)
    expect(acting.map(({ name }) => name)).toEqual(['createOrder'])
  })

  it('the page of it is written from the routes', () => {
    expect(readFileSync('docs/effects.md', 'utf8')).toBe(effectsDocument())
  })
})

describe('a proof is asked for', () => {
  const lacking = (isMeant: (route: Route) => boolean) =>
    routes.filter((route) => isMeant(route) && !route.needsProof).map(({ id }) => id)

  it('before anybody is let in, by the person who is signed in', () => {
    expect(
      lacking(
        ({ audience, effects }) =>
          (audience === 'business' || audience === 'operator') && (effects?.includes('lets-in') ?? false),
      ),
    ).toEqual([])
  })

  it('before a file of people leaves: a list as CSV, or everything about somebody', () => {
    const isExport = ({ method, documents, accesses = [] }: Route) => {
      const shown = [accesses].flat()
      const isWhole = shown.length > 1 && shown.some((one) => 'reads' in one && one.reads === 'customer')
      return method === 'GET' && ((documents?.includes(CSV) && shown.length > 0) || isWhole)
    }
    const undeclared = routes.filter((route) => isExport(route) && !route.effects?.includes('sends-out'))
    expect(undeclared.map(({ id }) => id)).toEqual([])
    expect(lacking(({ method, effects }) => method === 'GET' && (effects?.includes('sends-out') ?? false))).toEqual([])
  })
})

// What a write of a table means. A route that can make it declares the effect, or the lasting grant.
type Mark = { when: RegExp; effect?: Effect; grant?: readonly Grant[] }
const marks: Mark[] = [
  { when: /^insert (kits|payments)$/, effect: 'spends' },
  { when: /^insert credit_transfers$/, effect: 'spends' },
  { when: /^call publishReport(OfKit)?$|^call publishReviewedReport$/, effect: 'publishes' },
  { when: /^insert (report_versions|consent_texts|default_consent_texts|catalogue_texts)$/, effect: 'publishes' },
  { when: /^insert (webhook_deliveries|shops)$|^(insert|update) webhook_endpoints$/, effect: 'sends-out' },
  {
    when: /^(insert|update) (tokens|operator_tokens|memberships|sso_connections|sso_domains|support_accesses|sign_in_policies|passkeys)$/,
    effect: 'lets-in',
  },
  {
    when: /^delete (reports|customers|orders|payment_methods|webhook_endpoints|sso_connections|passkeys)$/,
    effect: 'deletes',
  },
  {
    when: /^(insert|update) (on_call_contacts|text_consents)$|^(insert|update) webhook_endpoints$|^update realms$/,
    effect: 'changes-who-is-told',
  },
  { when: /^insert shops$/, grant: ['shop'] },
  { when: /^(insert|update) plans$/, grant: ['plan'] },
  { when: /^(insert|update) webhook_endpoints$/, grant: ['webhook'] },
  { when: /^insert payment_methods$/, grant: ['card'] },
  { when: /^insert top_ups$/, grant: ['topUp'] },
  { when: /^insert on_call_contacts$/, grant: ['onCall'] },
  { when: /^insert reminder_rules$/, grant: ['reminders'] },
  { when: /^insert tokens$/, grant: ['token', 'tokenTerms'] },
  { when: /^(insert|update) memberships$/, grant: ['invitation', 'role', 'signOn'] },
  { when: /^(insert|update) sso_connections$/, grant: ['signOn', 'scim'] },
  { when: /^insert sign_in_policies$/, grant: ['signIn'] },
  { when: /^update realms$/, grant: ['publishing'] },
]

// Routes that write such a table and cause less than that, each with its reason.
const less: Readonly<Record<string, Partial<Record<Effect | Grant, string>>>> = {
  acceptInvitation: { invitation: 'whoever invited granted it' },
  finishSso: { invitation: 'the connection grants it' },
  cancelOrder: { spends: 'credits and money come back' },
  cancelBulkOrderJob: { spends: 'credits come back' },
  createBusiness: {
    spends: 'the credits of the business that is made',
    token: 'its first tokens',
    card: 'the simulated card of the sandbox',
  },
  buyCredits: { topUp: 'a purchase ends the pause of a top-up' },
  discardHeldSample: { spends: 'a kit in its place is free, and the business wants it' },
  endPlan: { plan: 'places nothing any more' },
  pausePlan: { plan: 'places nothing until it is resumed' },
  skipPlanOrder: { plan: 'places one order less' },
  disconnectShop: { shop: 'forgets its secrets', 'sends-out': 'nothing is sent to it any more' },
  testWebhook: { 'sends-out': 'a test event is about nobody' },
  correctCustomer: { publishes: 'a report that is published is judged again' },
  correctCustomerOfAll: { publishes: 'a report that is published is judged again' },
  eraseCustomer: { plan: 'ends the plans of the person' },
  grantErasure: { plan: 'ends the plans of the person' },
  endSupportAccess: { 'lets-in': 'ends it, and what was made in it' },
  endOperatorSupportAccess: { 'lets-in': 'ends it, and what was made in it' },
  keepUser: { invitation: 'the operator made it; the business keeps it' },
  revokeToken: { 'lets-in': 'ends one' },
  revokeOperatorToken: { 'lets-in': 'ends one' },
  revokeScimToken: { 'lets-in': 'ends one', signOn: 'ends one' },
  revokeOperatorScimToken: { 'lets-in': 'ends one' },
  offerProof: { 'lets-in': 'counts the use of a passkey' },
  proveSession: { 'lets-in': 'counts the use of a passkey' },
}

const WRITE = /\b(insert\s+into|update|delete\s+from)\s+(?:only\s+)?(\w+)/gi
const BUILT = /\b(insertInto|updateTable|deleteFrom)\(\s*'(\w+)/g
const verbs: Readonly<Record<string, string>> = { insertInto: 'insert', updateTable: 'update', deleteFrom: 'delete' }

describe('a route that can cause an effect declares it:', () => {
  const sources = read(trackedFiles().filter((path) => /^src\/.*\.ts$/.test(path)))
  const reach = reachIn(sources)
  const places = new Map(
    sources
      .filter(({ path }) => /routes\.ts$/.test(path))
      .flatMap(({ path, text }) => exportedNames(text).map((id) => [id, `${path}#${id}`])),
  )

  /** What a declaration does in the end: `insert kits`, `call publishReportOfKit`. */
  const doings = (start: string): Set<string> =>
    new Set(
      reach(start).flatMap(({ name, text }) => [
        `call ${name.split('#')[1]}`,
        ...(/queries\.ts#/.test(name)
          ? [
              ...[...text.matchAll(WRITE)].map(
                ([, verb = '', table]) => `${verb.toLowerCase().split(/\s/)[0]} ${table}`,
              ),
              ...[...text.matchAll(BUILT)].map(([, verb = '', table]) => `${verbs[verb]} ${table}`),
            ]
          : []),
      ]),
    )

  const undeclared = (route: Route, start: string): string[] => {
    const made = new Set<string>(grantsOf(route))
    const done = [...doings(start)]
    return marks.flatMap(({ when, effect, grant }) => {
      const doing = done.find((one) => when.test(one))
      if (!doing) return []
      const reasons = less[route.id] ?? {}
      const isSide = route.audience === 'business'
      if (effect && !route.effects?.includes(effect) && !reasons[effect]) return [`${route.id}: ${effect} (${doing})`]
      if (grant && isSide && !grant.some((one) => made.has(one) || reasons[one])) {
        return [`${route.id}: ${grant.join(' or ')} (${doing})`]
      }
      return []
    })
  }

  it('each says what it may cause, even if that is nothing', () => {
    const silent = writes.filter(({ effects }) => effects === undefined).map(({ id }) => id)
    expect(silent, `Declare \`effects\` (src/domain/effects.ts), [] where there are none: ${silent}`).toEqual([])
  })

  it('none writes more than it says', () => {
    const found = writes
      .filter(({ mode, audience }) => mode !== 'sandbox' && audience !== 'account' && audience !== 'anyone')
      .flatMap((route) => undeclared(route, places.get(route.id) ?? ''))
    expect(found, 'Declare the effect or the grant, or give the reason in `less`').toEqual([])
  })

  it('one that forgets its effects, or what it makes, is found', () => {
    const forgetful = {
      ...defineRoute({} as never),
      id: 'connectShop',
      audience: 'business',
      effects: [],
    } as unknown as Route
    expect(undeclared(forgetful, places.get('connectShop') ?? '')).toEqual([
      'connectShop: sends-out (insert shops)',
      'connectShop: shop (insert shops)',
    ])
    const free = { ...forgetful, id: 'payOrder' } as Route
    expect(undeclared(free, places.get('payOrder') ?? '').join()).toContain('spends')
  })

  it('a job that orders, charges or publishes acts under a grant that is named', () => {
    const jobs = sources
      .filter(({ path }) => /modules\/.*jobs\.ts$/.test(path))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/^export const (\w+)/gm)].map(([, name = '']) => ({ name, start: `${path}#${name}` })),
      )
    const acting = jobs.filter(({ start }) =>
      [...doings(start)].some((one) => /^insert (kits|payments|report_versions)$|^call publishReport/.test(one)),
    )
    const named = new Set(machinery.flatMap(({ jobs }) => jobs))
    expect(acting.length).toBeGreaterThan(4)
    expect(acting.filter(({ name }) => !named.has(name)).map(({ name }) => name)).toEqual([])
  })

  it('every effect and every grant is declared by some route', () => {
    const declared = new Set(routes.flatMap((route) => route.effects ?? []))
    expect([...declared].sort()).toEqual(Object.keys(effects).sort())
    expect([...new Set(routes.flatMap(grantsOf))].sort()).toEqual(Object.keys(lastingGrants).sort())
  })
})
