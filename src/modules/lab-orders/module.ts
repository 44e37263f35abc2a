import { defineModule, defineTables, happened, made, operators, stays } from '../define-module.ts'
import { afterKitChanges, afterKitFacts, eraseOrders } from './follow.ts'
import { sendDueLabOrders, sendLabOrder } from './jobs.ts'
import { sealedOrderMessages, sealedOrders } from './queries.ts'
import * as routes from './routes.ts'
import { LabOrderNews } from './schema.ts'

export const labOrders = defineModule({
  name: 'lab-orders',
  routes: [routes],
  jobs: [sendLabOrder, sendDueLabOrders],
  afterKitChanges,
  afterKitFacts,
  events: {
    'lab_order.updated': {
      summary: 'The order of a kit to a laboratory changed',
      description: 'It was placed, accepted, refused, changed or canceled, or somebody must look at it.',
      data: LabOrderNews,
    },
  },
  tables: defineTables({
    lab_connections: {
      written: 'how laboratories get orders is saved by service.ts',
      times: { created_at: operators, changed_at: operators },
    },
    lab_orders: {
      written: 'orders to laboratories are written by record.ts and send.ts',
      people: {
        in: 'results',
        what: 'that a sample is ordered at a laboratory, and what the laboratory said of it',
        sealed: 'what the laboratory said',
        clear: 'kit, order, laboratory, its number, state, times',
        kept: 'no term',
        readBy: '`kits:read`, without what the laboratory said; *op* `lab`',
        erasure: 'what the laboratory said goes; an open order is canceled; the rest stays, like the kit',
      },
      sealed: [sealedOrders],
      times: {
        due_at: stays('only orders of live are sent'),
        created_at: made,
        changed_at: happened,
      },
    },
    lab_order_messages: {
      written: 'messages to laboratories are written by send.ts',
      people: {
        in: 'results',
        what: 'an order with name, date of birth, address and answers, until the laboratory has answered; its answer',
        sealed: 'yes',
        clear: 'kit, laboratory, control ID, tries, times, code of the answer',
        kept: 'the message until it is answered or taken back; the rest no term',
        readBy: '*op* `lab`, without the message',
        erasure: 'the answer goes; a message that was not answered goes before it would be sent again',
      },
      sealed: [sealedOrderMessages],
      times: { made_at: made, sent_at: happened, answered_at: happened },
    },
  }),
  person: { erase: eraseOrders },
})
