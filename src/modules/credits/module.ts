import { appended, defineModule, defineTables, operators } from '../define-module.ts'
import { checkLedgerNightly } from './jobs.ts'
import * as routes from './routes.ts'
import { resetSandbox } from './service.ts'

export const credits = defineModule({
  name: 'credits',
  routes: [routes],
  jobs: [checkLedgerNightly],
  tables: defineTables({
    credit_balances: {
      written: 'ledger.ts is the only writer of balances',
    },
    credit_transfers: {
      written: 'ledger.ts is the only writer of transfers',
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
