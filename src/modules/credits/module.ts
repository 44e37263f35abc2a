import { z } from 'zod'
import { appended, defineModule, defineTables, operators } from '../define-module.ts'
import { checkLedgerNightly } from './jobs.ts'
import * as routes from './routes.ts'
import { resetSandbox } from './service.ts'

export const credits = defineModule({
  name: 'credits',
  routes: [routes],
  jobs: [checkLedgerNightly],
  events: {
    'credits.low': {
      summary: 'Credits are low',
      description: 'A balance fell below the threshold of the settings; once for each fall.',
      data: z.object({
        type: z.string().describe('The kit type.'),
        credits: z.int().describe('How many are left.'),
        threshold: z.int().describe('The number that the settings warn below.'),
      }),
    },
  },
  tables: defineTables({
    credit_balances: {
      written: 'ledger.ts is the only writer of balances',
      staysInReset: 'they are brought back to what a sandbox begins with',
    },
    credit_transfers: {
      written: 'ledger.ts is the only writer of transfers',
      staysInReset: 'the ledger is only appended; the reset adds a grant',
      times: { at: appended },
    },
    ledger_checks: {
      written: 'the ledger is checked by verify.ts',
      times: { at: operators },
    },
  }),
  readsBelow: [
    { file: 'check-queries.ts', tables: ['kits'], why: 'the check of the ledger looks for kits without an order' },
    {
      file: 'check-queries.ts',
      tables: ['order_items', 'orders'],
      why: 'the check of the ledger compares what each order took with what it should have taken',
    },
  ],
  sandbox: { reset: resetSandbox },
})
