import { Stack, Text, Textarea, TextInput } from '@mantine/core'
import { t } from '../../language/t.ts'
import type { Draft } from './settings-draft.ts'

interface BillingFieldsProps {
  draft: Draft
  onChange: (part: Partial<Draft>) => void
}

/** What stands on receipts about the business. */
export function BillingFields({ draft, onChange }: BillingFieldsProps) {
  return (
    <Stack gap="sm" maw={420}>
      <Text size="sm" c="dimmed">
        {t('Receipts keep what was here when they were issued.')}
      </Text>
      <TextInput
        label={t('Name on receipts')}
        placeholder={draft.name}
        maxLength={200}
        value={draft.billingName ?? ''}
        onChange={(event) => onChange({ billingName: event.currentTarget.value || undefined })}
      />
      <Textarea
        label={t('Address on receipts')}
        autosize
        minRows={3}
        maxLength={500}
        value={draft.billingAddress ?? ''}
        onChange={(event) => onChange({ billingAddress: event.currentTarget.value || undefined })}
      />
      <TextInput
        label={t('Tax number')}
        maxLength={50}
        value={draft.billingTaxNumber ?? ''}
        onChange={(event) => onChange({ billingTaxNumber: event.currentTarget.value || undefined })}
      />
    </Stack>
  )
}
