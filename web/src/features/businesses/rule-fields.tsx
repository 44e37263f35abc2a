import { MultiSelect, NumberInput, Radio, Stack, Switch, Text } from '@mantine/core'
import { t } from '../../language/t.ts'
import { usePanels } from '../catalogue/use-panels.ts'
import type { Draft } from './settings-draft.ts'

interface RuleFieldsProps {
  draft: Draft
  onChange: (part: Partial<Draft>) => void
  uploadsEnabled: boolean
}

export function RuleFields({ draft, onChange, uploadsEnabled }: RuleFieldsProps) {
  const { options } = usePanels()
  return (
    <Stack gap="lg">
      <Radio.Group
        label={t('When a report is ready')}
        value={draft.publishing}
        onChange={(value) => onChange({ publishing: value === 'auto' ? 'auto' : 'manual' })}
      >
        <Stack gap={6} mt={6}>
          <Radio
            value="manual"
            label={t('Someone reviews it first')}
            description={t('It waits under Reports until it is published')}
          />
          <Radio value="auto" label={t('Publish it at once')} />
        </Stack>
      </Radio.Group>
      {draft.publishing === 'auto' && (
        <Switch
          label={t('Publish critical reports once they are acknowledged')}
          description={t('Off: somebody publishes a report with critical results')}
          checked={draft.publishAcknowledged}
          onChange={(event) => onChange({ publishAcknowledged: event.currentTarget.checked })}
        />
      )}
      <Radio.Group
        label={t('When credits do not cover an order')}
        value={draft.insufficientCredits}
        onChange={(value) => onChange({ insufficientCredits: value as Draft['insufficientCredits'] })}
      >
        <Stack gap={6} mt={6}>
          <Radio value="charge" label={t('Charge the saved card')} />
          <Radio value="pending" label={t('Keep the order pending until it is paid')} />
          <Radio value="reject" label={t('Refuse the order')} />
        </Stack>
      </Radio.Group>
      <Switch
        label={t('Orders can be paid by card')}
        description={t('Off: orders are paid with credits only')}
        checked={draft.purchasingEnabled}
        onChange={(event) => onChange({ purchasingEnabled: event.currentTarget.checked })}
      />
      <Switch
        label={t('People give consent before they register a kit')}
        description={t('Off: your own program asks for consent')}
        checked={draft.requireConsent}
        onChange={(event) => onChange({ requireConsent: event.currentTarget.checked })}
      />
      <Switch
        label={t('Send a free kit when a sample on hold is discarded')}
        description={t('Off: you order a replacement yourself')}
        checked={draft.replaceDiscarded}
        onChange={(event) => onChange({ replaceDiscarded: event.currentTarget.checked })}
      />
      <MultiSelect
        label={t('Tests that people may order again from their report')}
        description={t(
          'Paid with your credits. Without credits the order waits if orders may wait, else nothing is ordered and you get an e-mail',
        )}
        placeholder={draft.retestPanels.length === 0 ? t('No test') : undefined}
        data={options}
        value={draft.retestPanels}
        onChange={(retestPanels) => onChange({ retestPanels })}
        clearable
      />
      <NumberInput
        label={t('Warn when credits of a panel fall below')}
        description={t('Leave empty for no warning')}
        w={280}
        min={0}
        max={1_000_000}
        allowDecimal={false}
        value={draft.lowCreditThreshold ?? ''}
        onChange={(value) => onChange({ lowCreditThreshold: value === '' ? undefined : Number(value) })}
      />
      <Text size="sm" c="dimmed">
        {uploadsEnabled
          ? t('Uploading laboratory files is enabled.')
          : t('Uploading laboratory files is not enabled; the operator can enable it.')}
      </Text>
    </Stack>
  )
}
