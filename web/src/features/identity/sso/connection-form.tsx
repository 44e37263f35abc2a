import {
  ActionIcon,
  Button,
  Fieldset,
  Group,
  Modal,
  PasswordInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ErrorAlert } from '../../../components/error-alert.tsx'
import { Icon } from '../../../components/icon.tsx'
import { t } from '../../../language/t.ts'
import { roleName } from '../user-status.tsx'
import {
  type AnySide,
  bodyOf,
  type ConnectionBody,
  type Draft,
  draftOf,
  type GroupRow,
  withPreset,
} from './connection-draft.ts'
import { PresetSteps } from './preset-steps.tsx'
import { presetOf, presets } from './presets.ts'

interface ConnectionFormProps {
  connection?: AnySide | undefined
  roles: readonly string[]
  onClose: () => void
  /** The form shows the error that it throws. */
  save: (body: ConnectionBody) => Promise<unknown>
}

/** Sets up a single sign-on, or changes one. */
export function ConnectionForm({ connection, roles, onClose, save }: ConnectionFormProps) {
  const [draft, setDraft] = useState(() => draftOf(connection))
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const [chosen, choose] = useState(() => connection && presetOf(connection.issuer))
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      await save(bodyOf(draft))
      onClose()
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
  }
  const text = (name: 'name' | 'issuer' | 'clientID' | 'groupClaim' | 'emergencyAccount') => ({
    value: draft[name],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => change({ [name]: currentTarget.value }),
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={connection ? t('Change the single sign-on') : t('New single sign-on')}
      size="lg"
    >
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="sm">
          <Select
            label={t('Identity provider')}
            data={[
              ...presets.map(({ id, name }) => ({ value: id, label: name })),
              { value: 'other', label: t('Another one') },
            ]}
            value={chosen?.id ?? 'other'}
            onChange={(id) => {
              const preset = presets.find((one) => one.id === id)
              choose(preset)
              if (preset) change(withPreset(draft, preset))
            }}
          />
          {chosen && <PresetSteps preset={chosen} />}
          <TextInput
            label={t('Name')}
            description={t('What people read on the button of the sign-in page')}
            required
            data-autofocus
            {...text('name')}
          />
          <TextInput
            label={t('Issuer')}
            description={t('The address of your identity provider')}
            placeholder={chosen?.issuer ?? 'https://login.example.com'}
            required
            {...text('issuer')}
          />
          <Group grow align="flex-start">
            <TextInput label={t('Client ID')} required {...text('clientID')} />
            <PasswordInput
              label={t('Client secret')}
              description={connection ? t('Leave empty to keep it') : undefined}
              required={!connection}
              autoComplete="off"
              value={draft.clientSecret}
              onChange={(event) => change({ clientSecret: event.currentTarget.value })}
            />
          </Group>
          <TagsInput
            label={t('Domains')}
            description={t('Of your people’s e-mail addresses. The operator verifies that they are yours.')}
            placeholder="example.com"
            // Its list is empty: opened, it would take the key that closes the dialog.
            openOnFocus={false}
            value={draft.domains}
            onChange={(domains) => change({ domains })}
          />
          <GroupFields draft={draft} roles={roles} change={change} claim={text('groupClaim')} group={chosen?.group} />
          <TextInput
            label={t('Emergency account')}
            description={t('An administrator who may always use a password, for when the provider fails')}
            type="email"
            {...text('emergencyAccount')}
          />
          <Switch
            label={t('Refuse passwords to people of these domains')}
            description={t('Needs an emergency account. Invitations are refused too: groups decide who is in.')}
            checked={draft.enforced}
            onChange={(event) => change({ enforced: event.currentTarget.checked })}
          />
          {error !== undefined && <ErrorAlert error={error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={isBusy}>
              {t('Save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

interface GroupFieldsProps {
  draft: Draft
  roles: readonly string[]
  change: (part: Partial<Draft>) => void
  group: string | undefined
  claim: { value: string; onChange: (event: { currentTarget: { value: string } }) => void }
}

function GroupFields({ draft: { groups }, roles, change, claim, group }: GroupFieldsProps) {
  const set = (row: GroupRow) => change({ groups: groups.map((one) => (one.key === row.key ? row : one)) })
  const nextKey = Math.max(-1, ...groups.map(({ key }) => key)) + 1
  return (
    <Fieldset legend={t('Which group has which role')}>
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          {t('The first row whose group a person is in counts. People in none are refused.')}
        </Text>
        {groups.map((row, index) => (
          <Group key={row.key} gap="xs" wrap="nowrap">
            <TextInput
              aria-label={t('Group {number}', { number: index + 1 })}
              placeholder={group ?? t('Group, as the provider sends it')}
              value={row.group}
              onChange={(event) => set({ ...row, group: event.currentTarget.value })}
              style={{ flex: 1 }}
            />
            <Select
              aria-label={t('Role of group {number}', { number: index + 1 })}
              placeholder={t('Role')}
              w={160}
              data={roles.map((value) => ({ value, label: roleName(value) }))}
              value={row.role || null}
              onChange={(role) => set({ ...row, role: role ?? '' })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('Remove group {number}', { number: index + 1 })}
              onClick={() => change({ groups: groups.filter(({ key }) => key !== row.key) })}
            >
              <Icon name="cross" size={15} />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="default"
          size="compact-sm"
          w="fit-content"
          onClick={() => change({ groups: [...groups, { key: nextKey, group: '', role: '' }] })}
        >
          {t('Add a group')}
        </Button>
        <TextInput label={t('Claim with the groups')} w={220} required value={claim.value} onChange={claim.onChange} />
      </Stack>
    </Fieldset>
  )
}
