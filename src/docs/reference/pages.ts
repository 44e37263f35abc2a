import { readShipped } from '../../platform/package-root.ts'
import { type Document, type Listed, listOperations } from './document.ts'
import { type Described, describe } from './operation.ts'

/** One page of the reference, before it is rendered. */
export interface ReferencePage {
  path: string
  title: string
  /** Markdown. */
  about: string
  group: 'API reference' | 'Dashboard API' | 'Operator API'
  listed: readonly Listed[]
  operations(): Described[]
}

export const DOCUMENTS = ['openapi.json', 'openapi-dashboard.json', 'openapi-operator.json'] as const

/** The pages of the reference: one for each tag of each document, and one for the events. */
export async function referencePages(): Promise<ReferencePage[]> {
  const [business, dashboard, operator] = await Promise.all(
    DOCUMENTS.map(async (name): Promise<Document> => JSON.parse(await readShipped(name))),
  )
  if (!business || !dashboard || !operator) throw new Error('An OpenAPI document is missing')
  return [
    {
      path: 'reference/basics',
      title: 'Basics',
      about: business.info.description ?? '',
      group: 'API reference',
      listed: [],
      operations: () => [],
    },
    ...tagPages(business, 'API reference'),
    eventsPage(business),
    ...tagPages(dashboard, 'Dashboard API'),
    ...tagPages(operator, 'Operator API'),
  ]
}

const slugOf = (tag: string) => tag.toLowerCase().replaceAll(/[^a-z]+/g, '-')

const isCurrent = ({ operation }: Listed) => !operation.deprecated

function tagPages(document: Document, group: ReferencePage['group']): ReferencePage[] {
  const listed = listOperations(document.paths)
  return document.tags.map(({ name, description = '' }) => {
    const title = name.replace(/^Operator: (\w)/, (_, first: string) => first.toUpperCase())
    const tagged = listed.filter(({ operation }) => operation.tags?.includes(name))
    const own = [...tagged.filter(isCurrent), ...tagged.filter((one) => !isCurrent(one))]
    const operations = once(() => own.map((one) => describe(document, one)))
    return { path: `reference/${slugOf(name)}`, title, about: description, group, listed: own, operations }
  })
}

const ABOUT_EVENTS = `What an endpoint may receive, and the body of each webhook. [Webhooks](../quickstart/webhooks.md) shows how to receive and
check one. \`GET /events\` has the same events in order.`

function eventsPage(document: Document): ReferencePage {
  const listed = listOperations(document.webhooks).map((one) => ({ ...one, method: 'EVENT' }))
  const asEvent = (one: Listed): Described => ({ ...describe(document, one), id: one.path, parameters: [], errors: [] })
  return {
    path: 'reference/webhook-events',
    title: 'Webhook events',
    about: ABOUT_EVENTS,
    group: 'API reference',
    listed,
    operations: once(() => listed.map(asEvent)),
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
