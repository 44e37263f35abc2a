import { usePermissions } from '../../app/permissions.ts'
import { useRealmPath } from '../../app/realm.tsx'

/** People who may publish open reports of any status; everyone else opens published ones from their customer. */
export function useReportPath(): (reportID: string, customerID: number | undefined) => string {
  const path = useRealmPath()
  const { write } = usePermissions()
  return (reportID, customerID) =>
    write || customerID === undefined ? path('reports', reportID) : path('customers', customerID, 'reports', reportID)
}
