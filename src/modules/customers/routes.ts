import { z } from 'zod'
import type { Parts } from '../../platform/http/answer.ts'
import { type Columns, CSV, CSV_WORDS, chosen, csvColumns, csvFile, wantsCsv } from '../../platform/http/csv.ts'
import * as fields from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { CreateCustomer, Customer, customerKey, ListedCustomer } from './schema.ts'
import { MAX_FOUND } from './search-queries.ts'
import { create, get, listAfter, listInParts, listPage } from './service.ts'

const tag = 'Customers'

const creating = (path: string, description: string) =>
  defineRoute({
    audience: 'business',
    method: 'POST',
    path,
    tag,
    summary: 'Create a customer',
    effects: [],
    description,
    scope: 'customers:write',
    body: CreateCustomer,
    answers: { 201: Customer },
    errors: ['CUSTOMER_EXISTS', 'EXTERNAL_ID_EXISTS'],
    handler: async ({ tx, body }) => ({ status: 201, body: await create(tx, body) }),
  })

export const createCustomer = creating(
  '/customer',
  'E-mails compare case-insensitively, within the mode of the token. The returned `id` is the `userId` of add-data. A customer is also made when a kit is registered to an e-mail that has none.',
)
export const createCustomerAlias = creating('/customers', 'The same as `POST /customer`.')

/** What a file of customers says of each. */
const customerColumns: Columns<ListedCustomer> = {
  id: (customer) => customer.id,
  external_id: (customer) => customer.external_id,
  name: (customer) => customer.name,
  email: (customer) => customer.email,
  dateOfBirth: (customer) => customer.dateOfBirth,
  gender: (customer) => customer.gender,
  customTags: (customer) => customer.customTags.join(', '),
  reports: (customer) => customer.reports.join(' '),
  createdDate: (customer) => customer.createdDate,
}

export const listCustomers = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/customers',
  tag,
  summary: 'List customers',
  effects: ['sends-out'],
  description: `Newest first, always an array: all of them, or with \`page\` or \`size\` one page, which \`sort\` may turn round, with \`X-Total-Count\` and \`Link\`. ${CSV_WORDS}`,
  scope: 'customers:read',
  query: z.object({
    q: fields.searchText.optional(),
    id: fields.commaParameter(250).optional().describe('Up to 250, or your own identifiers.'),
    email: fields.emailFilter.optional(),
    externalID: fields.externalIdFilter.optional(),
    name: fields
      .text(200)
      .optional()
      .describe('The name, or how it or a word of it begins; case and accents do not matter.'),
    updatedSince: fields.updatedSince.optional(),
    sort: fields.byCreation,
    columns: csvColumns,
    ...fields.maybePaging(250),
  }),
  answers: { 200: z.array(ListedCustomer) },
  documents: [CSV],
  counted: true,
  accesses: { lists: 'customer', ids: (customers) => customers.map(({ id }) => String(id)) },
  needsProof: (_, accept) => wantsCsv(accept),
  handler: async ({ tx, accept, query }) => {
    const { q, id: keys, email: emails, externalID, name, page, size } = query
    const externalIds = externalID && fields.identifiersIn(externalID)
    const filter = { text: q, keys, emails, externalIds, name, updatedSince: fields.rangeStart(query.updatedSince) }
    const isOldestFirst = query.sort === 'createdDate'
    if (wantsCsv(accept))
      return csvFile('customers', chosen(customerColumns, query.columns), (tx, last, size) =>
        listAfter(tx, filter, { id: last?.id, size, isOldestFirst }),
      )
    const headers = { vary: 'Accept', ...fields.nextUpdatedSince(tx) }
    const isWhole = page === undefined && size === undefined
    if (isWhole && (q || keys || emails || externalIds || name))
      return { status: 200, body: await listAfter(tx, filter, { id: undefined, size: MAX_FOUND }), headers }
    if (isWhole) {
      const body: Parts = (ports) => listInParts(ports, filter)
      return { status: 200, document: { contentType: 'application/json; charset=utf-8', body }, headers }
    }
    const range = { page: page ?? 0, size: size ?? 50 }
    const { customers, total } = await listPage(tx, { ...filter, ...range, isOldestFirst })
    const link = fields.pageLinks('/api/v1/customers', query, { ...range, total })
    return { status: 200, body: customers, headers: { ...headers, 'x-total-count': String(total), link } }
  },
})

export const getCustomer = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/customers/:id',
  tag,
  summary: 'Get a customer',
  scope: 'customers:read',
  params: z.object({ id: customerKey }),
  answers: { 200: Customer },
  errors: ['CUSTOMER_NOT_FOUND'],
  accesses: { reads: 'customer', ids: ({ id }) => [String(id)] },
  handler: async ({ tx, params }) => ({ status: 200, body: await get(tx, params.id) }),
})
