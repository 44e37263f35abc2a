import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anchorLine, anchorsIn, makeAnchor, verifyAnchors } from '../../src/modules/audit/anchors.ts'
import { sealEntries } from '../../src/modules/audit/seal.ts'
import { verifyAudit } from '../../src/modules/audit/verify.ts'
import { sendAnchor } from '../../src/modules/oversight/anchors/send.ts'
import { commandLine } from '../harness/command-line.ts'
import { type MailServer, parseMail, startMailServer } from '../harness/smtp.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
let owner: Client
let mail: MailServer
let folder: string
const actor = { name: 'test' }

beforeAll(async () => {
  mail = await startMailServer()
  world = await ownWorld('has a mail server', { smtpUrl: mail.url })
  clinic = await world.business()
  owner = await world.owner()
  folder = await mkdtemp(join(tmpdir(), 'kitlane-anchors-'))
})
afterAll(async () => {
  await world.stop()
  await mail.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Something that the audit records, sealed. */
async function more(): Promise<void> {
  const { body } = await clinic.live.post('/customer', {
    email: `a${Math.floor(performance.now() * 1000)}@example.test`,
    name: 'A B',
  })
  await clinic.live.get(`/customers/${body.id}`)
  const unsealed = async () => {
    while (await world.service.database.asSystem(actor, sealEntries));
    const { entries, sealed } = await world.service.database.asSystem(actor, verifyAudit)
    return entries - sealed
  }
  await expect.poll(unsealed).toBe(0)
}
const anchored = async () => anchorLine(await world.service.database.asSystem(actor, makeAnchor))
const verified = (lines: string) => world.service.database.asSystem(actor, (tx) => verifyAnchors(tx, anchorsIn(lines)))

/** Runs a change as the owner of the database, looks, and takes it back. */
async function asOwner(change: string, look: () => Promise<void>): Promise<void> {
  const tables = ['audit_entries', 'audit_seals', 'audit_chains', 'audit_anchors']
  await owner.query(
    'reset role; alter table audit_entries no force row level security; alter table audit_entries disable trigger audit_entries_now',
  )
  for (const table of tables) await owner.query(`create table kept_${table} as select * from ${table}`)
  try {
    await owner.query(change)
    await look()
  } finally {
    for (const table of tables) {
      const overriding = table === 'audit_entries' ? 'overriding system value' : ''
      await owner.query(
        `delete from ${table}; insert into ${table} ${overriding} select * from kept_${table}; drop table kept_${table}`,
      )
    }
    await owner.query(
      'alter table audit_entries enable trigger audit_entries_now; alter table audit_entries force row level security; set role kitlane_system',
    )
  }
}

/** What somebody who owns the database would do: forge an entry, and compute every seal after it again. */
const recompute = `
  update audit_entries set actor = 'token:somebody-else' where id = (select min(id) from audit_entries where action = 'customer.read');
  do $$ declare s record; before bytea; begin
    for s in select * from audit_seals order by chain, number loop
      select hash into before from audit_seals p where p.chain = s.chain and p.number = s.number - 1;
      update audit_seals u set hash = sha256(coalesce(case when s.number > 1 then before end, '') || convert_to((
        select string_agg((jsonb_build_array(e.id, e.realm_id, (extract(epoch from e.at) * 1000000)::bigint, e.actor,
          e.action, e.object_type, e.object_id, e.request_id, e.ip, e.details)
          || case when s.form >= 2 then jsonb_build_array(e.caller_request_id) else '[]' end)::text, E'\\n' order by i.place)
        from unnest(s.entry_ids) with ordinality as i(id, place) join audit_entries e on e.id = i.id), 'UTF8'))
      where u.chain = s.chain and u.number = s.number;
    end loop;
    update audit_chains c set hash = (select hash from audit_seals z where z.chain = c.chain and z.number = c.seals);
  end $$;`

/** The same for the anchors in the database. */
const recomputeAnchors = `
  do $$ declare a record; text text; before bytea := ''; begin
    for a in select * from audit_anchors order by number loop
      select string_agg(split_part(l, ' ', 1) || ' ' || split_part(l, ' ', 2) || ' ' || encode(z.hash, 'hex'), E'\\n' order by o)
        into text from string_to_table(a.seals, E'\\n') with ordinality as t(l, o)
        join audit_seals z on z.chain = split_part(l, ' ', 1)::int and z.number = split_part(l, ' ', 2)::bigint;
      text := coalesce(text, '');
      update audit_anchors set seals = text, previous = before, digest = sha256(before || convert_to(
        a.number || E'\\n' || to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || E'\\n' || text, 'UTF8'))
      where number = a.number returning digest into before;
    end loop;
  end $$;`

describe('an anchor outside of the database', () => {
  it('confirms chains that nobody has touched, also after they have grown, and as one of many lines', async () => {
    await more()
    const first = await anchored()
    expect(first).toMatch(/^kitlane-anchor:1 \d+ \S+Z [0-9a-f]{64}$/)
    await more()
    const second = await anchored()
    await more()
    const text = `Hello,\n> ${first}\r\nquoted and forwarded\n${second}\n`
    expect(await verified(text)).toEqual({ confirmed: 2, until: expect.any(String) })
    expect(await verified('')).toEqual({ confirmed: 0 })
  })

  it('finds that the owner of the database forged an entry and computed every seal and every anchor again', async () => {
    await more()
    const line = await anchored()
    await more()
    await asOwner(recompute, async () => {
      const alone = await world.service.database.asSystem(actor, verifyAudit)
      expect(alone).toMatchObject({ intact: true })
      expect((await verified(line)).brokenAt).toMatch(/it is not the seal that anchor \d+ names/)
    })
    await asOwner(recompute + recomputeAnchors, async () => {
      expect(await world.service.database.asSystem(actor, verifyAudit)).toMatchObject({ intact: true })
      expect(await verified('')).toEqual({ confirmed: 0 })
      expect((await verified(line)).brokenAt).toMatch(/the chains were computed again/)
    })
    expect(await verified(line)).toMatchObject({ confirmed: 1 })
  })

  it('finds anchors that were removed or changed', async () => {
    await more()
    const line = await anchored()
    const last = '(select max(number) from audit_anchors)'
    await asOwner(`delete from audit_anchors where number = ${last}`, async () =>
      expect((await verified(line)).brokenAt).toContain('the database does not have it'),
    )
    await asOwner(`delete from audit_anchors where number = 1`, async () =>
      expect((await verified(line)).brokenAt).toBe('anchor 1: it was removed'),
    )
    await asOwner(`update audit_anchors set seals = seals || ' ' where number = 1`, async () =>
      expect((await verified(line)).brokenAt).toBe('anchor 1: it was changed'),
    )
    await asOwner(
      `delete from audit_seals s using audit_chains c where c.chain = s.chain and c.seals = s.number`,
      async () => expect((await verified(line)).brokenAt).toContain('it is not the seal'),
    )
  })

  it('is written each night to the files and addresses of the settings, each of which suffices', async () => {
    await more()
    const file = join(folder, 'anchors.txt')
    await sendAnchor(world.service.database, actor, { emails: ['auditor@example.test'], files: [file] })
    await sendAnchor(world.service.database, actor, { emails: [], files: [file] })
    const text = await readFile(file, 'utf8')
    expect(text.trim().split('\n').length).toBe(2)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await verified(text)).toMatchObject({ confirmed: 2 })
    await expect.poll(() => mail.received.length).toBe(1)
    const { text: said, headers } = parseMail(mail.received[0]?.raw ?? '')
    expect(headers.get('to')).toContain('auditor@example.test')
    expect(await verified(said)).toMatchObject({ confirmed: 1 })
  })

  it.each([
    [
      'the newest entries of a chain, with their seals',
      `create temporary table cut as select s.chain, max(s.number) as number from audit_seals s group by s.chain having max(s.number) > 1;
       delete from audit_entries e using audit_seals s, cut where (s.chain, s.number) = (cut.chain, cut.number) and e.id = any(s.entry_ids);
       delete from audit_seals s using cut where (s.chain, s.number) = (cut.chain, cut.number);
       update audit_chains c set seals = s.number, hash = s.hash from cut join audit_seals s on s.chain = cut.chain and s.number = cut.number - 1
       where c.chain = cut.chain; drop table cut`,
    ],
    [
      'a whole chain',
      `delete from audit_entries where realm_id = (select min(chain) from audit_chains);
       delete from audit_seals where chain = (select min(chain) from audit_chains);
       delete from audit_chains where chain = (select min(chain) from audit_chains)`,
    ],
  ])(
    'finds that somebody removed %s; without it, the verification says that it cannot know',
    async (_what, removal) => {
      const cli = await commandLine(world.urls.owner)
      const file = join(folder, 'removed.txt')
      try {
        await more()
        await anchored()
        await more()
        await writeFile(file, await anchored())
        // Every seal that the owner removes, and the anchors of the database with them.
        await asOwner(`delete from audit_anchors; ${removal}`, async () => {
          const alone = await cli.run('verify-audit')
          expect([alone.code, alone.stdout]).toEqual([
            0,
            expect.stringMatching(/as far as its seals can tell[\s\S]*Not known: whether/),
          ])
          const { intact, asFarAs } = JSON.parse((await cli.run('verify-audit', '--json')).stdout)
          expect([intact, asFarAs]).toEqual([true, { known: 'seals' }])
          const { code, stdout } = await cli.run('verify-audit', '--anchors', file, '--json')
          expect([code, JSON.parse(stdout).intact]).toEqual([1, false])
        })
      } finally {
        await cli.close()
      }
    },
  )

  it('is printed by the command line, and verified by it with exit code 1 where it does not fit', async () => {
    const cli = await commandLine(world.urls.owner)
    try {
      await more()
      const { stdout } = await cli.run('audit', 'anchor')
      const file = join(folder, 'printed.txt')
      await writeFile(file, stdout)
      const good = await cli.run('verify-audit', '--anchors', file)
      expect([good.code, good.stdout]).toEqual([0, expect.stringContaining('1 anchor fits')])
      await writeFile(
        file,
        stdout.replace(/[0-9a-f](?=\s*$)/, (last) => (last === '0' ? '1' : '0')),
      )
      const bad = await cli.run('verify-audit', '--anchors', file)
      expect([bad.code, bad.stdout]).toEqual([1, expect.stringContaining('the chains were computed again')])
      const asJson = await cli.run('verify-audit', '--anchors', file, '--json')
      expect([asJson.code, JSON.parse(asJson.stdout)]).toMatchObject([
        1,
        { intact: false, brokenAt: expect.stringContaining('the chains were computed again') },
      ])
      await writeFile(file, 'nothing')
      expect(await cli.refusal('verify-audit', '--anchors', file)).toContain('no anchor')
    } finally {
      await cli.close()
    }
  })
})
