import { defineModule, defineTables, operators, type PeopleData } from '../define-module.ts'
import * as alarmsOperator from './alarms/operator-routes.ts'
import { anchorAudit, notifyOperator, verifyAuditNightly, watchAudit } from './jobs.ts'
import * as accessReviewOperator from './review/operator-routes.ts'

const aboutAccessReviews: PeopleData = {
  in: 'staff',
  what: 'who, reason, note, network',
  sealed: "reason of an access: operator's; else clear",
  kept: 'no term',
  readBy: 'the business; *op* `staff`, `audit`',
}

export const oversight = defineModule({
  name: 'oversight',
  routes: [alarmsOperator, accessReviewOperator],
  jobs: [watchAudit, notifyOperator, verifyAuditNightly, anchorAudit],
  tables: defineTables({
    access_reviews: {
      written: 'reviews of access are signed off by review/service.ts',
      people: aboutAccessReviews,
      times: { at: operators },
    },
    alarm_counts: {
      written: 'what alarms count is written by alarms/service.ts',
      times: { minute: operators },
    },
    alarms: {
      written: 'alarms are raised and acknowledged by alarms/service.ts',
      people: aboutAccessReviews,
      times: { acknowledged_at: operators, last_at: operators, raised_at: operators },
    },
  }),
})
