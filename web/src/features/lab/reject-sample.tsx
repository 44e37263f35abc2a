import { Select } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { t } from '../../language/t.ts'
import { reasons } from './intake/rejection-reasons.ts'

type Reason = (typeof reasons)[number][0]

/** Rejects the sample of a kit, with a reason. */
export function RejectSample({ kitID }: { kitID: string }) {
  const reject = useWrite('post', '/operator/v1/samples/reject')
  const [reason, setReason] = useState<Reason>()
  return (
    <ConfirmButton
      label={t('Reject the sample')}
      sentence={t(
        'The person is told that the sample cannot be tested, and a report that is not published is rejected.',
      )}
      action={() => (reason ? reject.mutateAsync({ body: { kitID, reason } }) : Promise.resolve())}
      done={t('The sample is rejected')}
      isIncomplete={reason === undefined}
      isDangerous
    >
      <Select
        label={t('Reason')}
        data={reasons.map(([value, label]) => ({ value, label }))}
        value={reason ?? null}
        onChange={(value) => setReason((value ?? undefined) as Reason | undefined)}
      />
    </ConfirmButton>
  )
}

/** Takes the rejection of a sample back. */
export function UndoRejection({ kitID, onDone }: { kitID: string; onDone?: () => void }) {
  const undo = useWrite('post', '/operator/v1/samples/undo-rejection')
  return (
    <ConfirmButton
      label={t('Undo the rejection')}
      sentence={t('The sample is where it was before. The person is told that it is at the laboratory.')}
      action={() => undo.mutateAsync({ body: { kitID } }).then(onDone)}
      done={t('The rejection is undone')}
      size="compact-sm"
    />
  )
}
