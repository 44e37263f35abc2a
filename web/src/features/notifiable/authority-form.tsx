import type { components } from '@kitlane/client'
import { Checkbox, Fieldset, Select, Stack } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { t } from '../../language/t.ts'
import { Field, Named, Place, unnamed } from './fields.tsx'

export type Authority = components['schemas']['HealthAuthority']
type Sender = components['schemas']['NotifiableSender']
type AuthorityDraft = Omit<Authority, 'id'> & { id?: string }

const newAuthority: AuthorityDraft = {
  name: '',
  country: 'US',
  states: [],
  application: unnamed,
  facility: unnamed,
  transport: { kind: 'byHand' },
  acknowledges: false,
  processing: 'T',
  isActive: true,
}

export function AuthorityButton({ authority }: { authority?: Authority }) {
  const [draft, setDraft] = useState<AuthorityDraft>(authority ?? newAuthority)
  const save = useWrite('post', '/operator/v1/notifiable-settings/authorities')
  const change = (part: Partial<AuthorityDraft>) => setDraft((former) => ({ ...former, ...part }))
  const { transport, acknowledges = false, processing = 'T', isActive = true } = draft
  const reach: Record<typeof transport.kind, AuthorityDraft['transport']> = {
    mllp: { kind: 'mllp', url: '' },
    folder: { kind: 'folder', folder: '' },
    byHand: { kind: 'byHand' },
  }
  return (
    <ConfirmButton
      label={authority ? t('Change the authority') : t('Add an authority')}
      size="xs"
      sentence={t('What waits for it is tried again.')}
      action={async () => {
        await save.mutateAsync({ body: draft })
        if (!authority) setDraft(newAuthority)
      }}
      done={t('The authority is saved')}
    >
      <Field label={t('Name')} value={draft.name} onChange={(name) => change({ name })} required />
      <Place value={draft} change={change} />
      <Select
        label={t('How it is told')}
        allowDeselect={false}
        data={[
          { value: 'mllp', label: t('MLLP: HL7 over a line of its own') },
          { value: 'folder', label: t('Folder: it fetches files') },
          { value: 'byHand', label: t('By hand') },
        ]}
        value={transport.kind}
        onChange={(kind) => kind && change({ transport: reach[kind] })}
      />
      {transport.kind === 'mllp' && (
        <Field
          label={t('Address')}
          description={t('LAB_ORDERS_HOSTS must name its host and port.')}
          placeholder="mllps://elr.example.gov:2575"
          value={transport.url}
          onChange={(url) => change({ transport: { ...transport, url } })}
          required
          maxLength={300}
        />
      )}
      {transport.kind === 'folder' && (
        <Field
          label={t('Folder')}
          description={t('Its name below LAB_ORDERS_FOLDER. It must be there.')}
          value={transport.folder}
          onChange={(folder) => change({ transport: { ...transport, folder } })}
          required
          maxLength={64}
        />
      )}
      <Named
        title={t('Receiving application (MSH-5)')}
        value={draft.application}
        onChange={(application) => change({ application })}
      />
      <Named
        title={t('Receiving facility (MSH-6)')}
        value={draft.facility}
        onChange={(facility) => change({ facility })}
      />
      <Select
        label={t('Processing (MSH-11)')}
        description={t('What went as training does not count, and waits')}
        allowDeselect={false}
        data={[
          { value: 'P', label: t('Production') },
          { value: 'T', label: t('Training') },
          { value: 'D', label: t('Debugging') },
        ]}
        value={processing}
        onChange={(to) => to && change({ processing: to })}
      />
      <Checkbox
        label={t('It answers each message (PHLabReport-Ack)')}
        checked={acknowledges}
        onChange={({ currentTarget }) => change({ acknowledges: currentTarget.checked })}
      />
      <Checkbox
        label={t('It is told')}
        checked={isActive}
        onChange={({ currentTarget }) => change({ isActive: currentTarget.checked })}
      />
    </ConfirmButton>
  )
}

const nobody: Sender = {
  application: unnamed,
  facility: unnamed,
  ordering: { name: '', street: '', city: '', state: '', zip: '', phone: '' },
}

export function SenderButton({ sender }: { sender: Sender | undefined }) {
  const [draft, setDraft] = useState<Sender>(sender ?? nobody)
  const save = useWrite('post', '/operator/v1/notifiable-settings/sender')
  const change = (part: Partial<Sender>) => setDraft((former) => ({ ...former, ...part }))
  const { provider = { name: '', npi: '' } } = draft
  // Emptied, nobody stands on orders that no provider approved.
  const providing = (part: Partial<typeof provider>) => {
    const { name, npi } = { ...provider, ...part }
    change({ provider: name || npi ? { name, npi } : undefined })
  }
  return (
    <ConfirmButton
      label={t('Say who sends')}
      size="xs"
      sentence={t('It stands on each message.')}
      action={() => save.mutateAsync({ body: draft })}
      done={t('The sender is saved')}
    >
      <Named
        title={t('Sending application (MSH-3)')}
        value={draft.application}
        onChange={(application) => change({ application })}
      />
      <Named
        title={t('Sending facility (MSH-4)')}
        value={draft.facility}
        onChange={(facility) => change({ facility })}
      />
      <Fieldset legend={t('Who orders the tests')}>
        <Stack gap="xs">
          {ordering.map(([key, label, maxLength]) => (
            <Field
              key={key}
              label={label}
              value={draft.ordering[key]}
              onChange={(to) => change({ ordering: { ...draft.ordering, [key]: to } })}
              required
              maxLength={maxLength}
            />
          ))}
        </Stack>
      </Fieldset>
      <Fieldset legend={t('The provider, where none approved the order')}>
        <Stack gap="xs">
          <Field
            label={t('Name')}
            value={provider.name}
            onChange={(name) => providing({ name })}
            required={provider.npi !== ''}
          />
          <Field
            label={t('NPI, ten digits')}
            value={provider.npi}
            onChange={(npi) => providing({ npi })}
            required={provider.name !== ''}
            maxLength={10}
          />
        </Stack>
      </Fieldset>
    </ConfirmButton>
  )
}

const ordering = [
  ['name', t('Name'), 50],
  ['street', t('Street, with its number'), 120],
  ['city', t('City'), 50],
  ['state', t('State, two letters'), 2],
  ['zip', t('ZIP code'), 10],
  ['phone', t('Phone, ten digits'), 20],
] as const
