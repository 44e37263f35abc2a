import { z } from 'zod'
import { CSV, CSV_WORDS, csvFile, wantsCsv } from '../../platform/http/csv.ts'
import { Pagination, pagination } from '../../platform/http/fields.ts'
import { type Parts, route } from '../../platform/http/route.ts'
import { MAX_FOUND, searchText } from '../search/conditions.ts'
import { customerColumns } from './file.ts'
import { CreateCustomer, Customer, customerKey, ListedCustomer } from './schema.ts'
import { create, get, listBefore, listInParts, listPage } from './service.ts'

const tag = 'Customers'

// No defaults: a list that was asked for neither stays the whole array.
const pages = { page: z.coerce.number().int().min(0).max(10_000_000), size: z.coerce.number().int().min(1).max(250) }

const creating = (path: string, id: string) =>
  route({
    method: 'POST',
    path,
    id,
    tag,
    summary: 'Create a customer',
    description:
      'E-mails compare case-insensitively, within the mode of the token. The returned `id` is the `userId` of add-data. ' +
      'A customer is also made when a kit is registered to an e-mail that has none. ' +
      '`POST /customer` and `POST /customers` are the same.',
    scope: 'customers:write',
    body: CreateCustomer,
    responses: { 201: Customer },
    errors: ['CUSTOMER_EXISTS', 'EXTERNAL_ID_EXISTS'],
    handler: async ({ tx, body }) => ({ status: 201, body: await create(tx, body) }),
  })

export const createCustomer = creating('/customer', 'createCustomer')
export const createCustomerAlias = creating('/customers', 'createCustomerAlias')

export const listCustomers = route({
  method: 'GET',
  path: '/customers',
  id: 'listCustomers',
  reads: 'customer',
  tag,
  summary: 'List customers',
  description: `Newest first. Without \`page\` and \`size\`: all of them, as an array. With either: one page, with \`pagination\`. ${CSV_WORDS}`,
  scope: 'customers:read',
  query: z.object({
    q: searchText.optional(),
    page: pages.page.optional().describe('0-based; with it, or with `size`, one page is answered.'),
    size: pages.size.optional().describe('1 to 250; default 50.'),
  }),
  responses: {
    200: z.union([z.array(ListedCustomer), z.object({ data: z.array(ListedCustomer), pagination: Pagination })]),
  },
  documents: [CSV],
  handler: async ({ tx, accept, query: { q, page, size } }) => {
    if (wantsCsv(accept))
      return csvFile('customers', customerColumns, (tx, last, rows) => listBefore(tx, q, last?.id, rows))
    const headers = { vary: 'Accept' }
    const isWhole = page === undefined && size === undefined
    if (isWhole && q) return { status: 200, body: await listBefore(tx, q, undefined, MAX_FOUND), headers }
    if (isWhole) {
      const body: Parts = (outside) => listInParts(outside)
      return { status: 200, document: { contentType: 'application/json; charset=utf-8', body }, headers }
    }
    const asked = { text: q, page: page ?? 0, size: size ?? 50 }
    const { customers, total } = await listPage(tx, asked)
    const body = { data: customers, pagination: pagination(asked.page, asked.size, total) }
    return { status: 200, body, headers }
  },
})

export const getCustomer = route({
  method: 'GET',
  path: '/customers/:id',
  id: 'getCustomer',
  reads: 'customer',
  tag,
  summary: 'Get a customer',
  scope: 'customers:read',
  params: z.object({ id: customerKey }),
  responses: { 200: Customer },
  errors: ['CUSTOMER_NOT_FOUND'],
  handler: async ({ tx, params }) => ({ status: 200, body: await get(tx, params.id) }),
})
