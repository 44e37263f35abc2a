/** What stands on the core, which never imports it. To remove one: its folder, and its line here. */
export { fhir } from './fhir/module.ts'
export { labFolder } from './lab-folder/module.ts'
export { mllp } from './mllp/module.ts'
export { nightlyNumbers } from './nightly-numbers/module.ts'
export { plans } from './plans/module.ts'
export { reminders } from './reminders/module.ts'
export { requestLog } from './request-log/module.ts'
export { shops } from './shops/module.ts'
