import type { Columns } from '../../platform/http/csv.ts'
import type { ListedCustomer } from './schema.ts'

/** What a file of customers says of each. */
export const customerColumns: Columns<ListedCustomer> = {
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
