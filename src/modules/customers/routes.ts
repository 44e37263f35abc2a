import { z } from 'zod'
import { route } from '../../platform/http/route.ts'
import { CreateCustomer, Customer, customerKey, ListedCustomer } from './schema.ts'
import { create, get, list } from './service.ts'

const tag = 'Customers'

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
  tag,
  summary: 'List customers',
  description: 'Every customer of the mode of the token, newest first, not paginated.',
  scope: 'customers:read',
  responses: { 200: z.array(ListedCustomer) },
  handler: async ({ tx }) => ({ status: 200, body: await list(tx) }),
})

export const getCustomer = route({
  method: 'GET',
  path: '/customers/:id',
  id: 'getCustomer',
  tag,
  summary: 'Get a customer',
  scope: 'customers:read',
  params: z.object({ id: customerKey }),
  responses: { 200: Customer },
  errors: ['CUSTOMER_NOT_FOUND'],
  handler: async ({ tx, params }) => ({ status: 200, body: await get(tx, params.id) }),
})
