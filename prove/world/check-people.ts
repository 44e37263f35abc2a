import { form } from '../canaries/form.ts'
import { canariesIn } from './canaries.ts'
import type { WorldClient } from './client.ts'
import { dayFields, kitsOf, type Lived, personOf, recipientOf } from './model.ts'
import type { Stack } from './stack.ts'

/** Of so many people one is exported. */
const EXPORTED = 5

/** Checks what people see: their mails, their pages, their reports. */
export async function checkPeople(stack: Stack, client: WorldClient, lives: readonly Lived[]): Promise<string[]> {
  const wrong: string[] = []
  for (const { to, text, html } of stack.mailbox.all) {
    const [own] = canariesIn(to)
    const others = canariesIn(text + html).filter((word) => word !== own)
    if (others.length > 0) wrong.push(`a mail to ${to} names ${others.join(', ')}`)
  }
  for (const [index, lived] of lives.entries()) {
    const { plan, stage } = lived
    if (index % EXPORTED === 0) wrong.push(...(await exported(lived, client)))
    const to = (word: string) => stack.mailbox.to(`${word}@world.test`)
    if (plan.mode === 'sandbox') {
      if (to(recipientOf(plan)).length + to(personOf(plan)).length > 0)
        wrong.push(`${plan.name}: a sandbox order sent mail`)
      continue
    }
    const isNotified = plan.notify && !lived.isDeclined
    if (isNotified !== to(recipientOf(plan)).length > 0)
      wrong.push(`${plan.name}: the recipient got ${to(recipientOf(plan)).length} mails, notify ${plan.notify}`)
    if (['published', 'corrected'].includes(stage))
      wrong.push(...(await read(lived, client, stack, to(personOf(plan)))))
    if (stage === 'erased') {
      const { status } = await client.business(
        lived.realm,
        'GET',
        `/customers/${lived.customerId}/reports/${lived.reportId}`,
      )
      if (status !== 404) wrong.push(`${plan.name}: the report of an erased person answers ${status}`)
    }
  }
  for (const node of stack.nodes) {
    const shown = canariesIn(node.printed())
    if (shown.length > 0)
      wrong.push(`the log of a node with the role ${node.role} names ${shown.slice(0, 3).join(', ')}`)
    wrong.push(...node.crashes)
  }
  return wrong
}

/** What is exported of a person has all of their kits. */
async function exported(lived: Lived, client: WorldClient): Promise<string[]> {
  const { plan, realm, customerId, isErased } = lived
  if (customerId === undefined || isErased) return []
  const { body } = await client.business(realm, 'GET', `/customers/${customerId}/export`)
  const found = body.kits.map(({ kitID }: { kitID: string }) => kitID).sort()
  const own = kitsOf(lived).flatMap((kit) => (kit.customerId === undefined ? [] : kit.id))
  return found.join() === own.sort().join() ? [] : [`${plan.name}: the export has the kits ${found}, not ${own}`]
}

async function read(
  lived: Lived,
  client: WorldClient,
  stack: Stack,
  mails: readonly { text: string }[],
): Promise<string[]> {
  const { plan, realm, customerId, reportId, stage, versions, born, isRenamed } = lived
  const wrong: string[] = []
  const value = stage === 'corrected' ? plan.corrected : plan.value
  const { body, status } = await client.business(realm, 'GET', `/customers/${customerId}/reports/${reportId}`)
  const glucose = body.biomarker?.find((one: { id: string }) => one.id === 'glucose')
  if (status !== 200 || glucose?.rawResult !== value || body.details.version !== versions)
    wrong.push(
      `${plan.name}: its report answers ${status} with ${glucose?.rawResult} in version ${body.details?.version}, not ${value} in ${versions}`,
    )
  const isMarked = body.labParamsError?.includes('Recalled') === true
  if (isMarked !== (kitsOf(lived)[0]?.recall !== undefined))
    wrong.push(`${plan.name}: its report says of a recall: ${JSON.stringify(body.labParamsError)}`)
  if (!plan.notify) return wrong
  const link = mails.map(({ text }) => /\/r\/[\w-]{43}/.exec(text)?.[0]).findLast((found) => found !== undefined)
  if (!link) return [...wrong, `${plan.name}: the person got no link`]
  const [api] = stack.nodes
  const open = form(api?.url ?? '')
  const home = await (await open(link)).submit(dayFields(born))
  const own = [personOf(plan)]
  client.look(`the page of ${plan.name}`, home.html, (word) => own.includes(word))
  if (!isRenamed && !canariesIn(home.html).includes(personOf(plan)))
    wrong.push(
      `${plan.name}: the personal page does not greet the person: ${home.html.replaceAll(/\s+/g, ' ').slice(-500)}`,
    )
  return wrong
}
