import { caller } from '../../test/harness/caller.ts'
import { form } from './form.ts'
import { HL7 } from './laboratory.ts'
import { type Journey, kinds, newKit, right, until } from './traveller.ts'

const registrationOf = (name: string) => ({ firstName: name, lastName: name, dateOfBirth: '1966-01-01', sex: 'F' })

/** A kit of the sandbox, because only there a developer sees the link. */
export async function pages({ url, sandbox, marks, run }: Journey) {
  const kitID = await newKit(sandbox)
  const email = marks.email()
  const open = form(url)
  let page = await open(`/k/${kitID}/consent`)
  page = await page.submit({ consentToTesting: 'yes' })
  const year = marks.born(1956).slice(0, 4)
  const named = { firstName: marks.word('names'), lastName: marks.word('names'), email, phone: marks.phone() }
  const lives = { addressLine1: marks.street(), city: marks.word('cities') }
  const born = { day: '19', month: '7', year }
  page = await page.submit({ ...named, ...lives, ...born, sex: 'F' })
  page = await page.submit({})
  const draft = form(url)
  const typed = {
    firstName: marks.word(kinds.drafts),
    lastName: marks.word(kinds.drafts),
    email: marks.email(kinds.drafts),
  }
  const begun = await newKit(sandbox)
  await (await (await draft(`/k/${begun}/consent`)).submit({ consentToTesting: 'yes' })).submit(typed)

  let link = ''
  await until(async () => {
    const { emails } = JSON.parse(await run('email', 'list', '--mode', 'sandbox', '--json'))
    for (const { id } of emails) {
      const { text } = JSON.parse(await run('email', 'show', '--email', id, '--json'))
      link ||= /\/r\/([\w-]{43})/.exec(text)?.[1] ?? ''
    }
    return link !== ''
  })
  marks.secret(kinds.links, link)
  const gate = await open(`/r/${link}`)
  await gate.submit({ ...born, year: '1957' })
  const home = await (await open(`/r/${link}`)).submit(born)
  if (!home.html.includes(named.firstName)) throw new Error(`the personal link leads to ${home.path}`)
  for (const cookie of open.cookies()) if (cookie.length > 20) marks.secret(kinds.cookies, cookie)
}

/** Live links are in e-mails that were sent, and nowhere else. */
export async function sent({ mails, marks }: Journey) {
  const links = () => mails().flatMap((raw) => raw.replace(/=\r?\n/g, '').match(/\/r\/[\w-]{43}/g) ?? [])
  await until(async () => links().length > 0)
  for (const link of new Set(links())) marks.secret(kinds.links, link.slice(3))
}

/** Requests that are refused, with what they hold. */
export async function mistakes({ url, live, operator, sandbox, marks }: Journey) {
  const kind = kinds.refused
  const taken = { email: marks.email(kind), name: marks.word(kind) }
  right(await live.post('/customer', taken))
  right(await caller(url).post('/password-resets', { email: marks.email(kind) }))
  await (await form(url)('/r/new')).submit({ email: marks.email(kind) })
  const refused = [
    await live.post('/customer', taken),
    await live.post('/customer', { email: marks.word(kind), name: marks.word(kind), dateOfBirth: marks.word(kind) }),
    await live.post('/create-order', `{"recipient": "${marks.word(kind)}`),
    await live.post('/kits/KZZZZZZZZZ/register', { ...registrationOf(marks.word(kind)), email: marks.email(kind) }),
    await caller(url).post('/session', { email: marks.email(kind), password: marks.word(kind) }),
    await live.get(`/customers/${marks.word(kind)}`),
    await operator.post('/lab/results', marks.word(kind), HL7),
    await sandbox.get(`/nothing/${marks.word(kind)}`),
  ]
  for (const { status } of refused) if (status < 400 || status >= 500) throw new Error(`${status} for a mistake`)
}

export async function settled({ live }: Journey) {
  await until(async () => {
    const { body } = await live.get('/webhook-deliveries?size=250')
    const deliveries = body.data ?? body
    return deliveries.length > 0 && deliveries.every(({ status }: { status: string }) => status !== 'pending')
  })
}
