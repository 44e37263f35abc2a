import { Alert } from '@mantine/core'
import { useReachable } from '../api/reachability.ts'
import css from './connection-status.module.css'

/** Said on every page for as long as the service does not answer. */
export function ConnectionStatus() {
  const isReachable = useReachable()
  return (
    <div className={`${css.note} no-print`} role="status">
      {!isReachable && (
        <Alert color="orange" variant="filled" title="No connection to the service">
          What you see may be old, and what you typed is still here. Nothing is sent until you press again. Looking for
          the service…
        </Alert>
      )}
    </div>
  )
}
