import { Anchor, Code, Group, Text, Tooltip, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { AuditEntry } from '../../api/shapes.ts'
import type { ListState } from '../../components/list-state.ts'
import { PageLink } from '../../components/page-link.tsx'
import { CopyBlock } from '../../components/raw-json.tsx'
import { filled, t } from '../../language/t.ts'
import { detailsInWords } from './details.ts'
import { type Names, shortOf, whoIs } from './names.ts'
import { sentenceOf, valuesIn } from './sentences/sentences.ts'

interface EntryProps {
  entry: AuditEntry
  names: Names
  state: ListState
  /** The page of what it was done to, where the reader may open it. */
  href: string | undefined
}

/** What was done, as a sentence; what has no place in it below; its JSON a click away. */
export function Entry({ entry, names, state, href }: EntryProps) {
  const [isOpen, { toggle }] = useDisclosure()
  const { actor, action, objectType, objectID, details = {}, ip } = entry
  const message = sentenceOf(action)
  const said = valuesIn(message ?? '')
  const words = detailsInWords(details, (part) => said.includes(part))
  if (ip) words.push(t('from {ip}', { ip }))
  // Entries of older releases may lack one.
  const isWhole = said.every((part) => part === 'who' || part === 'of' || details[part] !== undefined)
  const values = Object.fromEntries(said.map((part) => [part, (details[part] as ReactNode) ?? 0]))
  const who = (
    <Filter label={actor} onPress={() => state.filter({ actor })}>
      {whoIs(actor, names)}
    </Filter>
  )
  const name =
    names.get(`${objectType}:${objectID}`) ?? (objectID === 'unknown' ? t('an unknown account') : shortOf(objectID))
  const of = href ? (
    <PageLink size="sm" to={href}>
      {name}
    </PageLink>
  ) : (
    <Filter label={objectID} onPress={() => state.filter({ objectID })}>
      {name}
    </Filter>
  )
  return (
    <div style={{ overflowWrap: 'anywhere' }}>
      {message ? (
        filled(message, { ...values, who, of, more: (parts) => (isWhole ? parts : null) })
      ) : (
        <>
          {who} <Code>{action}</Code> {of}
        </>
      )}
      <Group gap="xs" style={{ rowGap: 0 }}>
        {words.length > 0 && (
          <Text size="xs" c="dimmed">
            {words.join(' · ')}
          </Text>
        )}
        <UnstyledButton fz="xs" mih={24} c="dimmed" td="underline" onClick={toggle} aria-expanded={isOpen}>
          JSON
        </UnstyledButton>
      </Group>
      {isOpen && (
        // As wide as its cell: it scrolls by itself.
        <div style={{ contain: 'inline-size' }}>
          <CopyBlock text={JSON.stringify(entry, null, 2)} label={t('Copy JSON')} name="JSON" />
        </div>
      )}
    </div>
  )
}

function Filter({ label, onPress, children }: { label: string; onPress: () => void; children: string }) {
  return (
    <Tooltip label={label}>
      <Anchor component="button" type="button" size="sm" onClick={onPress}>
        {children}
      </Anchor>
    </Tooltip>
  )
}
