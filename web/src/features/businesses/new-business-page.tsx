import { Alert, Button, Checkbox, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { CopyBlock } from '../../components/raw-json.tsx'
import { t } from '../../language/t.ts'
import { InvitationLink } from '../identity/invitation-link.tsx'

const crumbs: [string, string][] = [['businesses', t('Businesses')]]

export function NewBusinessPage() {
  const create = useWrite('post', '/operator/v1/businesses')
  const panels = useRead('/operator/v1/panels')
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<string[]>()
  const [credits, setCredits] = useState(0)
  const [administrator, setAdministrator] = useState('')
  const all = (panels.data ?? []).map(({ kitType }) => kitType)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const invited = administrator.trim()
    create.mutate({
      body: {
        name: name.trim(),
        panels: chosen ?? all,
        ...(credits > 0 && { credits }),
        ...(invited && { administrator: invited }),
      },
    })
  }
  if (create.data) return <Tokens made={create.data} />
  return (
    <>
      <PageHeader title={t('New business')} crumbs={crumbs} />
      <form onSubmit={submit}>
        <Stack maw={560}>
          <TextInput
            label={t('Name')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            required
            data-autofocus
          />
          {panels.error && <ErrorAlert error={panels.error} retry={() => void panels.refetch()} />}
          <Checkbox.Group label={t('Panels it can order')} value={chosen ?? all} onChange={setChosen}>
            <Stack gap={6} mt={6}>
              {panels.data?.map(({ kitType, name: panel }) => (
                <Checkbox key={kitType} value={kitType} label={`${panel} (${kitType})`} />
              ))}
            </Stack>
          </Checkbox.Group>
          <NumberInput
            label={t('Initial live credits for each panel')}
            value={credits}
            onChange={(value) => setCredits(Number(value) || 0)}
            min={0}
            max={1_000_000}
            allowDecimal={false}
          />
          <TextInput
            type="email"
            label={t('E-mail of its first administrator')}
            description={t('They are invited now. Users whom you invite later, during a support access, go with it.')}
            value={administrator}
            onChange={(event) => setAdministrator(event.currentTarget.value)}
          />
          {create.error && <ErrorAlert error={create.error} />}
          <Group>
            <Button type="submit" loading={create.isPending} disabled={name.trim() === '' || panels.data === undefined}>
              {t('Create')}
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  )
}

interface TokensProps {
  made: { business: { id: string; name: string }; liveToken?: string; sandboxToken?: string; invitationUrl?: string }
}

/** Everyone who can open this page has the scope `access`, and receives the tokens. */
function Tokens({ made: { business, liveToken = '', sandboxToken = '', invitationUrl } }: TokensProps) {
  return (
    <>
      <PageHeader title={business.name} crumbs={crumbs} />
      <Stack maw={720}>
        <Alert title={t('Copy both tokens now')}>
          {t('They are shown only once and are not stored. Anyone with the live token can order for {name}.', {
            name: business.name,
          })}
        </Alert>
        <div>
          <Text fw={600}>{t('Live token')}</Text>
          <CopyBlock text={liveToken} label={t('Copy live token')} name={t('live token')} />
        </div>
        <div>
          <Text fw={600}>{t('Sandbox token')}</Text>
          <CopyBlock text={sandboxToken} label={t('Copy sandbox token')} name={t('sandbox token')} />
        </div>
        <InvitationLink url={invitationUrl} />
        <Group>
          <Button component={Link} to={`/operator/businesses/${business.id}`}>
            {t('I have copied them')}
          </Button>
        </Group>
      </Stack>
    </>
  )
}
