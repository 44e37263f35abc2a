import { pagesOf, SIZE } from './check-orders.ts'
import type { WorldClient } from './client.ts'
import { kitsOf, type Lived, type LivedBox } from './model.ts'
import { GTIN, type Stack } from './stack.ts'

// All states, so that a list shows every box and every sample there ever was.
const BOXES = 'waiting,undecided,awaitingBox,readyToSend,needsNewKit,underWay,sentAgain,replaced,arrived,closed'
const HOLDS = 'open,released,discarded'

/** Compares boxes that did not arrive, samples on hold and sealed boxes with what was acknowledged. */
export async function checkBoxes(stack: Stack, client: WorldClient, lives: readonly Lived[]): Promise<string[]> {
  const wrong: string[] = []
  const compare = (where: string, shown: readonly string[], expected: readonly string[]) => {
    const [found, wanted] = [new Map(counted(shown)), new Map(counted(expected))]
    for (const [line, times] of wanted) if (found.get(line) !== times) wrong.push(`${where} does not say ${line}`)
    for (const [line, times] of found)
      if (wanted.get(line) !== times) wrong.push(`${where} says ${times} times ${line}`)
  }
  const ofRealm = (realm: string) => lives.filter((one) => one.realm === realm).flatMap(kitsOf)
  for (const { name } of stack.realms.values()) {
    const list = (path: string) => (page: number) =>
      client.business(name, 'GET', `${path}&size=${SIZE}&page=${page}`).then(({ body }) => body.data)
    const own = ofRealm(name)
    compare(
      `${name}: the list of boxes`,
      (await pagesOf(list(`/undelivered?state=${BOXES}`))).map(boxLine),
      troubled(own),
    )
    const recalls = await pagesOf(list('/recalled-kits?'))
    compare(`${name}: the list of recalled kits`, recalls.map(recallLine), recalled(own))
    compare(
      `${name}: the list of samples`,
      (await pagesOf(list(`/held-samples?state=${HOLDS}`))).map(holdLine),
      held(own),
    )
  }
  const ofAll = (path: string) =>
    pagesOf((page) => client.operator('GET', `${path}&size=${SIZE}&page=${page}`).then(({ body }) => body.data))
  const live = lives.filter(({ plan }) => plan.mode === 'live')
  const kits = live.flatMap(kitsOf)
  compare('the queue of boxes', (await ofAll(`/undelivered?state=${BOXES}`)).map(boxLine), troubled(kits))
  compare('the queue of samples', (await ofAll(`/held-samples?state=${HOLDS}`)).map(holdLine), held(kits))

  const boxes = live.flatMap((one) => one.boxes)
  compare('the stock', (await ofAll(`/stock/boxes?gtin=${GTIN}`)).map(stockLine), boxes.map(stockLineOf))
  const levels = await ofAll('/stock/levels?')
  const inStock = boxes.filter(({ state }) => state === 'inStock').map(({ place }) => place)
  compare(
    'the levels of stock',
    levels.filter((one) => one.inStock > 0).map((one) => `${one.place}: ${one.inStock}`),
    counted(inStock).map(([place, count]) => `${place}: ${count}`),
  )
  for (const { realm, orders } of live) {
    for (const { id, serial } of kitsOf({ orders }).filter((kit) => kit.serial)) {
      const { body } = await client.business(realm, 'GET', `/kits/${serial}/validate`)
      if (body.kitID !== id) wrong.push(`the serial number ${serial} means ${body.kitID}, not ${id}`)
    }
  }
  return wrong
}

const counted = (lines: readonly string[]): [string, number][] =>
  [...Map.groupBy(lines, (line) => line)].map(([line, same]) => [line, same.length])

// biome-ignore-start lint/suspicious/noExplicitAny: answers as a client without types reads them
const boxLine = ({ kitID, outcome, state, isHere, times, replacedBy }: any): string =>
  [kitID, outcome, state, isHere ? 'here' : 'away', times, replacedBy ?? ''].join(' ')
const holdLine = ({ kitID, state, causes, endedBy, requiredActions, replacedBy }: any): string =>
  [kitID, state, causes.join(), endedBy ?? '', requiredActions.length > 0 ? 'waits' : '', replacedBy ?? ''].join(' ')
const recallLine = ({ kitID, stage, done, replacedBy }: any): string =>
  [kitID, stage, done.join(), replacedBy || ''].join(' ')
const stockLine = ({ serial, state, place, kitID }: any): string => [serial, state, place, kitID ?? ''].join(' ')
// biome-ignore-end lint/suspicious/noExplicitAny: answers as a client without types reads them

type Kits = ReturnType<typeof kitsOf>

const troubled = (kits: Kits): string[] =>
  kits.flatMap(({ id, trouble, replacedBy }) =>
    trouble ? boxLine({ kitID: id, ...trouble, times: 1, replacedBy }) : [],
  )
const held = (kits: Kits): string[] =>
  kits.flatMap(({ id, hold, replacedBy }) =>
    hold ? holdLine({ kitID: id, ...hold, requiredActions: hold.state === 'open' ? [1] : [], replacedBy }) : [],
  )
const recalled = (kits: Kits): string[] =>
  kits.flatMap(({ id, recall, replacedBy }) =>
    recall ? recallLine({ kitID: id, ...recall, replacedBy: recall.done.includes('replaced') && replacedBy }) : [],
  )
const stockLineOf = ({ kitId, ...box }: LivedBox): string => stockLine({ ...box, kitID: kitId })
