import { Alert } from '@mantine/core'
import { useReachable } from '../api/reachability.ts'
import { t } from '../language/t.ts'
import css from './connection-status.module.css'

/** Shown on every page while the service does not answer. */
export function ConnectionStatus() {
  const isReachable = useReachable()
  return (
    <div className={`${css.note} no-print`} role="status">
      {!isReachable && (
        <Alert color="orange" variant="filled" title={t('No connection to the service')}>
          {t(
            'What you see may be out of date. What you typed is still here, and nothing is sent until you try again. Reconnecting…',
          )}
        </Alert>
      )}
    </div>
  )
}
