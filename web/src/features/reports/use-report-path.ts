import { usePermissions } from '../../app/permissions.ts'
import { useRealmPath } from '../../app/realm.tsx'

/** Who may publish reads a report whatever its status; everybody else reads what was released, through its person. */
export function useReportPath(): (reportID: string, customerID: number | undefined) => string {
  const path = useRealmPath()
  const { write } = usePermissions()
  return (reportID, customerID) =>
    write || customerID === undefined ? path('reports', reportID) : path('customers', customerID, 'reports', reportID)
}
