import { z } from 'zod'
import { timestamp } from '../../platform/http/fields.ts'
import { defineModule, defineTables, happened, made, stays } from '../define-module.ts'
import { sealedGuardians } from './guardian-queries.ts'
import { indexNames } from './jobs.ts'
import { deleteCustomers } from './queries.ts'
import * as routes from './routes.ts'
import { sealedCustomers } from './sealed-queries.ts'

export const customers = defineModule({
  name: 'customers',
  tags: {
    Customers: 'The records of people tested.',
  },
  routes: [routes],
  jobs: [indexNames],
  events: {
    'customer.created': {
      summary: 'A person was recorded',
      description: 'A record of a person tested was made.',
      data: z.object({ id: z.int(), external_id: z.string().optional(), createdDate: timestamp }),
    },
    'customer.updated': {
      summary: 'A person’s record changed',
      description: 'Names which fields changed.',
      data: z.object({
        id: z.int(),
        external_id: z.string().optional(),
        updatedDate: timestamp,
        changed: z.array(z.string()).describe('The names of the fields that changed; not their values.'),
      }),
    },
  },
  tables: defineTables({
    customers: {
      written: 'customers are made and changed by service.ts',
      people: {
        in: 'person',
        what: 'name, e-mail, phone, address, date of birth, gender, race',
        sealed: 'yes; e-mail hash',
        clear: 'number, external ID, tags, consent to research, language',
        kept: 'no term',
        readBy: '`customers:read`; *op* search: `fulfilment`, `lab`',
        erasure: 'emptied; number and times stay',
      },
      sealed: [sealedCustomers],
      times: {
        created_at: made,
        erased_at: happened,
        updated_at: stays('callers that ask what changed since a time must find it'),
      },
    },
    customer_finds: {
      written: 'the terms that customers are found by are written by service.ts',
      people: {
        in: 'person',
        what: 'hashes of the first 3, 5, 8 letters of the e-mail, the name and each of its words',
        sealed: 'hashes only',
        kept: 'as `customers`',
        readBy: 'only the search',
        erasure: 'deleted',
      },
    },
    guardians: {
      written: 'guardians are named by guardians.ts',
      people: {
        in: 'person',
        what: 'name and e-mail of the parent or guardian',
        sealed: 'yes; e-mail hash',
        clear: 'relation',
        kept: 'no term',
        readBy: '`customers:read`',
        erasure: 'deleted with the minor',
      },
      sealed: [sealedGuardians],
      times: { at: happened },
    },
    customer_words: {
      written: 'the words of names are added to the search by jobs.ts',
      staysInReset: 'how far old words were sealed, by numbers that are not drawn again',
    },
  }),
  readsBelow: [
    {
      file: 'queries.ts',
      tables: ['reports', 'recall_kits', 'recalls'],
      why: 'a customer is listed with the IDs of their reports, and those that are recalled say it',
    },
  ],
  sandbox: { reset: async (tx) => ({ customers: await deleteCustomers(tx) }) },
})
