import { Group, Switch, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import type { KeyboardEvent } from 'react'
import { PageHeader } from '../../../components/page-header.tsx'
import { KeyButton } from '../../../components/station/key-button.tsx'
import { ScanFeedbackPanel } from '../../../components/station/scan-feedback.tsx'
import { ScanField, useScanField } from '../../../components/station/scan-field.tsx'
import css from '../../../components/station/station.module.css'
import { rich, t } from '../../../language/t.ts'
import { reasons } from './rejection-reasons.ts'
import { ScannedSamples } from './scanned-samples.tsx'
import { useIntake } from './use-intake.ts'

export function IntakePage() {
  const [withAccession, setWithAccession] = useLocalStorage({ key: 'kitlane-accession', defaultValue: false })
  const station = useIntake(withAccession)
  const field = useScanField()
  const { last, open } = station

  const onKey = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') station.leave()
    return key === 'Escape'
  }

  return (
    <div className={css.station}>
      <PageHeader
        title={t('Intake')}
        sentence={t('Scan each sample as it arrives. It is marked as received at once.')}
      />
      <ScanField
        label={open ? t("The laboratory's number of {kitID}", { kitID: open.kitID }) : t('Scan')}
        fieldRef={field}
        onScan={station.scan}
        onKey={onKey}
        isBusy={station.isBusy}
      />
      <ScanFeedbackPanel feedback={station.feedback} />
      {last && !open && (
        <section aria-label={t('Reject {kitID}', { kitID: last.kitID })}>
          <Text mb="xs">
            {rich('Something is wrong with <b>{kitID}</b>? Type a number and press Enter:', {
              b: (words) => <strong>{words}</strong>,
              kitID: last.kitID,
            })}
          </Text>
          <Group gap="xs">
            {reasons.map((reason, index) => (
              <KeyButton
                key={reason[0]}
                name={String(index + 1)}
                words={reason[1]}
                run={() => {
                  station.choose(reason)
                  field.current?.focus()
                }}
              />
            ))}
          </Group>
        </section>
      )}
      <Switch
        label={t("Also scan the laboratory's number of each sample")}
        checked={withAccession}
        onChange={(event) => {
          setWithAccession(event.currentTarget.checked)
          field.current?.focus()
        }}
      />
      {station.samples.length > 0 && <ScannedSamples samples={station.samples} onUndone={station.undone} />}
    </div>
  )
}
