import { Alert, Select, Text } from '@mantine/core'
import { type Encoding, encodings } from '../../../components/decode-text.ts'
import { t } from '../../../language/t.ts'
import { accentsIn, type Source } from './source.ts'

/** The encoding in which the file was read, if it is in doubt; another choice reads the file again. */
export function EncodingChoice({ source, onChange }: { source: Source; onChange: (encoding: Encoding) => void }) {
  const accents = accentsIn(source.sheet)
  if (!source.bytes || (source.isCertain && accents.length === 0)) return null
  const choice = (
    <Select
      size="xs"
      w={280}
      mt={6}
      label={t('Character encoding')}
      data={encodings}
      value={source.encoding ?? null}
      allowDeselect={false}
      onChange={(value) => value && onChange(value)}
    />
  )
  const examples = <Text mt={4}>{accents.join(' · ')}</Text>
  if (source.isCertain) {
    return (
      <div>
        <Text c="dimmed">{t('Names with accents read like this:')}</Text>
        {examples}
        {choice}
      </div>
    )
  }
  return (
    <Alert color="orange" variant="light" title={t('Are these names right?')}>
      {t('The file does not state its character encoding. If the names below look wrong, choose another encoding.')}
      {examples}
      {choice}
    </Alert>
  )
}
