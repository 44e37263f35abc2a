import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useWrite } from '../../api/hooks.ts'
import type { PlanDetail } from '../../api/shapes.ts'
import { usePermissions } from '../../app/permissions.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { dayOf } from '../../components/relative-date.tsx'
import { t } from '../../language/t.ts'

/** Only what is allowed now. */
export function PlanActions({ plan }: { plan: PlanDetail }) {
  const { write } = usePermissions()
  const path = useRealmPath()
  const pause = useWrite('post', '/api/v1/plans/{planID}/pause')
  const resume = useWrite('post', '/api/v1/plans/{planID}/resume')
  const skip = useWrite('post', '/api/v1/plans/{planID}/skip')
  const end = useWrite('post', '/api/v1/plans/{planID}/end')
  const isCharging = plan.occurrences.some(({ status }) => status === 'placing')
  if (!write || plan.status === 'ended' || isCharging) return null
  const init = { params: { path: { planID: plan.planID } } }
  const next = plan.nextDate ? dayOf(plan.nextDate) : t('the next date')
  return (
    <>
      <Button variant="default" component={Link} to={path('plans', plan.planID, 'change')}>
        {t('Change')}
      </Button>
      <ConfirmButton
        label={t('Skip next order')}
        sentence={t('Nothing is ordered on {next}. The plan goes on with the date after it.', { next })}
        action={() => skip.mutateAsync(init)}
        done={t('The next order was skipped')}
      />
      {plan.status === 'paused' ? (
        <ConfirmButton
          label={t('Resume')}
          sentence={t('The plan goes on with its first date from today on. Dates that passed meanwhile stay skipped.')}
          action={() => resume.mutateAsync(init)}
          done={t('The plan was resumed')}
        />
      ) : (
        <ConfirmButton
          label={t('Pause')}
          sentence={t('Nothing is ordered until you resume the plan.')}
          action={() => pause.mutateAsync(init)}
          done={t('The plan was paused')}
        />
      )}
      <ConfirmButton
        label={t('End plan')}
        isDangerous
        sentence={t(
          'Nothing is ordered any more. Orders that were placed stay as they are. A plan that has ended cannot be resumed.',
        )}
        action={() => end.mutateAsync(init)}
        done={t('The plan was ended')}
      />
    </>
  )
}
