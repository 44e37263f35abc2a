/** Portuguese, Dutch, Polish, Swedish, Turkish and Japanese names, and answers of infections in the languages before. */
const names: Record<string, string> = {
  hba1c:
    'hemoglobina glikowana,hemoglobina glicada (hba1c),糖化ヘモグロビン,hba1c(ngsp),hba1c (ngsp),hba1c (ifcc),hba1c ifcc',
  glucose:
    'nuchtere glucose,glucose nuchter,glukoosi,glicemie,gluk,glucose ac,glukoza,glukoza na czczo,glukoz,glukoz (açlık),açlık kan şekeri,açlık glukozu,血糖,グルコース,空腹時血糖,血糖値,glukóza,glukóza nalačno,glykémie,glykémie nalačno,glykémia,glicemia basale,glicose basal',
  insulin: 'insulin,i̇nsülin,insülin,インスリン,inzulin',
  urea: 'uree serica,uree serică,mocznik,üre,azotemia (urea),močovina',
  bun: '尿素窒素,üre azotu,kan üre azotu',
  uric_acid: 'kwas moczowy,ürik asit,尿酸,urato,kyselina močová',
  cortisol: 'kortyzol,kortizol',
  vitamin_d:
    '25-oh d vitamini,witamina d 25(oh),witamina d,25(oh)d,25-oh-vitamin-d,vitamina d (25-oh),25-hidroxivitamina d3,25-ohビタミンd,p-25-oh-vitamin d,s-25-oh-vitamin d,25-oh-vitamin d (d2+d3),vitamine d (d2+d3),vitamina d 25-oh total',
  ferritin: 'ferrytyna,ferritiini,フェリチン,feritin',
  iron: 'fier seric,żelazo,demir,血清鉄,železo',
  transferrin: 'transferyna,transferrine,transferrina',
  vitamin_b12: 'witamina b12,kobalamin,kobalamin (b12),ビタミンb12,b12 vitamina',
  folate: 'kwas foliowy,folik asit,葉酸,kyselina listová',
  magnesium: 'magnez,magnezyum,マグネシウム,hořčík,horčík',
  zinc: 'cynk,çinko,亜鉛,zinek',
  total_cholesterol:
    'fp-kol,p-kol,s-kol,kolesteroli,gesamt-cholesterin,cholesterol całkowity,total kolesterol,toplam kolesterol,総コレステロール,cholesterine totaal,cholesterol celkový,celkový cholesterol',
  hdl: 'fp-kol-hdl,p-kol-hdl,s-kol-hdl,hdl kolesterol,hdlコレステロール,hdl cholesterine',
  ldl: 'fp-kol-ldl,p-kol-ldl,s-kol-ldl,ldl-cholesterin (direkt),ldl-cholesterin direkt,ldl kolesterol,ldlコレステロール,colesterolo ldl (friedewald),colesterolo ldl calcolato,colesterol ldl calculado,ldl-cholesterin (berechnet),cholestérol ldl calculé',
  triglycerides:
    'triglyserider,fp-trigly,p-trigly,triglyseridit,triglicerydy,trójglicerydy,trigliserid,trigliserit,中性脂肪,triacylglyceroly,triglyceridy',
  fibrinogen: 'fibrinogeen,fibrinogen (clauss),fibrinogen clauss',
  hepatitis_b_core_igm: 'anti-hbc igm,hbc igm',
  anti_dsdna: 'anti-dsdna ab,anti-dsdns,anti-dsdna,anti-dsdns (elisa),anti-dsdna (elisa)',
  crp: 'białko c-reaktywne,c-reaktivt protein,c-reaktivní protein',
  hs_crp: 'pcr ultrassensível,proteína c reativa ultrassensível',
  homocysteine: 'homocysteina,homosistein',
  ige_total: 's-ige,ige totaal,ige całkowite,total ige',
  esr: 'velocidade de sedimentação,velocidade de hemossedimentação,vhs,vsg (1ª hora),sedimantasyon,sedimentasyon,eritrosit sedimantasyon hızı,odczyn biernackiego,b-sr,赤沈,vitesse de sédimentation 1ère heure,vs 1ère heure,vsg 1ª hora,sedimentace erytrocytů',
  total_testosterone: 'testosteron całkowity,total testosteron',
  prolactin: 'prolaktyna,プロラクチン',
  psa: 'psa całkowity,psa totaal',
  free_t4: 'serbest t4,ft4 wolna tyroksyna,tyroksyna wolna',
  free_t3: 'serbest t3,trójjodotyronina wolna',
  tpo_ab:
    'ab anti-tpo,ab anti-tpo (perossidasi tiroidea),anticorpos anti-tiroperoxidase,anti-tpo antikorları,anty-tpo,tpo-antikroppar,tpo-antistoffen',
  pth: 'parathyroid hormone,parathormon,parathormone,paratohormona,hormona paratiroidea,parathyreoid hormon,paratormone,paratormônio intacto,paratormônio,parathormone intacte,pth intacta',
  alt: 'alt (tgp),alanintransaminase,tgp/alt,alt(gpt),alt (sgpt),transaminasa gpt,alat (alt),transaminase pirúvica (tgp/alt),transaminase pirúvica',
  ast: 'tgo/ast,ast(got),ast (sgot),transaminasa got,asat (ast),transaminase oxalacética (tgo/ast),transaminase oxalacética,transaminase oxaloacética',
  alp: 'fosfataza alkaliczna,fosfataza zasadowa,alkalen fosfataz,alkalická fosfatáza',
  ggt: 'ggtp,gama gt,γ-gtp,γ-gt(γ-gtp)',
  ldh: 'ldh (laktat-dehydrogenase),laktatdehydrogenase',
  bilirubin_total:
    'bilirubina całkowita,total bilirubin,総ビリルビン,bilirrubina total,bilirubin celkový,celkový bilirubin',
  bilirubin_direct:
    'bilirubina bezpośrednia,direkt bilirubin,直接ビリルビン,bilirubin přímý,přímý bilirubin,konjugovaný bilirubin',
  albumin: 'albümin,albumiini,アルブミン',
  total_protein: 'białko całkowite,total protein,総蛋白,celková bílkovina,bílkovina celková,celkové bielkoviny',
  creatinine: 'krea,kreatiniini,kreatynina,クレアチニン,creatininium,kreatinín',
  egfr: 'egfr (ckd-epi),egfr (ckd-epi 2021),egfr creatinine (ckd-epi 2021),egfr creatinine (ckd-epi),gfr (ckd-epi),egfr(krea),pt-egfr(krea),pt-egfr (krea),filtrado glomerular (ckd-epi),dfg (ckd-epi),filtrato glomerulare (ckd-epi),推算糸球体濾過量',
  sodium: 'sód,sodyum,ナトリウム,sodík',
  potassium: 'potas,potasyum,カリウム,p-k,s-k,draslík',
  chloride: 'chlorki,klorür,クロール,chloridy',
  calcium: 'wapń,kalsium,wapń całkowity,kalsiyum,calcium totaal,カルシウム,vápník,vápník celkový,vápnik',
  phosphorus:
    'inorganic phosphate,fosfor nieorganiczny,fosforany,fosfor,無機リン,anorganischer phosphat,anorganický fosfor,fosfor anorganický',
  wbc: 'leuk,leukosyytit,white cell count,leukocyty,lökosit,白血球数,白血球',
  rbc: 'red cell count,erytrocyty,eritrosit,赤血球数,赤血球,',
  hemoglobin: 'hemoglobine,hemoglobiini,ヘモグロビン,血色素量,hemoglobin (hb),hemoglobín',
  hematocrit: 'hematokryt,hematokrit,ヘマトクリット',
  mcv: 'średnia objętość krwinki',
  platelets: 'trom,trombosyytit,płytki krwi,trombosit,血小板数,血小板,trombocyty,krevní destičky',
  neutrophils_abs:
    'neutrophile,neutrofile,neutrofili,neutrófilos,neutrofili,neutrofile,neutrofielen,neutrofiler,nötrofil,好中球数',
  lymphocytes_abs:
    'limfocyty,lymphozyten,lymphocytes,linfócitos,linfocitos,linfociti,limfocyty,lymfocyten,lymfocyter,lenfosit,リンパ球数',
  neutrophils_pct: 'neut%,neutrofile %,neutrófilos %,neutrofili %,neutrophile %,neutrophiles %',
  lymphocytes_pct: 'lymph%,limfocyty %,linfócitos %,linfocitos %,linfociti %,lymphozyten %,lymphocytes %',
  pt_pct:
    'taux de prothrombine,tp (taux de prothrombine),quick,quick-wert,actividad de protrombina,attività protrombinica',
  glucose_urine: '尿糖',
  protein_urine: '尿蛋白',
  hemoglobin_strip: '尿潜血',
  specific_gravity_urine: '尿比重',
  ph_urine: '尿ph',
  urobilinogen_strip: '尿ウロビリノーゲン',
  creatinine_urine: '尿中クレアチニン,u-krea',
  sodium_urine: 'u-na',
  potassium_urine: 'u-k',
  albumin_creatinine_urine:
    'albumin/creatinine ratio,albumin/creatinine,albumin creatinine ratio,acr,microalbumin/creatinine ratio,albumin/kreatinin,albumin-kreatinin-quotient,albumin/kreatinin-quotient,albumine/kreatinine ratio',
  albumin_urine: 'albumina urinária,microalbumina urinária,albumine urine',
  segs_pct: 'segmentados,segmentados %,segmentkernige,segmented neutrophils',
  calprotectin: 'calprotectine,calprotectina,kalprotektin',
  elastase_stool:
    'pancreaselastase,pankreaselastase,elastase-1,elastasi,elastasa,élastase pancréatique,pancreatic elastase',
  occult_blood: 'ifobt,fit,fobt,faecal immunochemical test',
  total_hdl_ratio: 'chol/hdl,chol/hdl ratio,chol/hdlc ratio',
  tsh: 'tireotropina (tsh),tirotropina (tsh)',
  trichomonas_vaginalis: 't. vaginalis,trichomonas vaginalis rna',
  mycoplasma_genitalium: 'm. genitalium,mycoplasma genitalium rna',
  chlamydia: 'c. trachomatis,c. trachomatis rna,chlamydia trachomatis rna',
  gonorrhoeae: 'n. gonorrhoeae,n. gonorrhoeae rna,neisseria gonorrhoeae rna',
  hepatitis_b_surface_antibody: 'hbsab,hbs ab',
  hcg_total_beta: 'hcg+beta,hcg + beta,hcg+β,hcg intact + beta',
  // Answers of infections.
  hbsag:
    'hbs-antigen,hbs antigen,antigène hbs,ag hbs,antigénio hbs,antígeno hbs,antígeno de superficie hepatitis b,antigene hbs,hbs antygen,antygen hbs,hbs抗原',
  hbsab_quant:
    'anti-hbs,anti-hbs quant,anti-hbs quantitativ,anticorps anti-hbs,ac anti-hbs,anticuerpos anti-hbs,anticorpi anti-hbs,anticorpos anti-hbs,hep b surface ab,przeciwciała anty-hbs,anty-hbs',
  hepatitis_b_core_antibody_total:
    'hepatitis b core total antibody,anti-hbc (gesamt),anti-hbc gesamt,anti-hbc total,ac anti-hbc totaux,anticorps anti-hbc totaux,anti-hbc totali',
  hepatitis_c_antibody:
    'anti-hcv,anti-vhc,anticorps anti-vhc,ac anti-vhc,anticuerpos anti-vhc,anticorpi anti-hcv,anticorpos anti-hcv,anty-hcv,przeciwciała anty-hcv,hcv抗体',
  hiv_ag_ab:
    'hiv 1 and 2 antibody p24 antigen,hiv 1+2 antigen and antibody,hiv fourth generation,vih 1/2 ag/ac,hiv-1/2 ak + p24-ag,hiv 1/2 ak + p24 ag,vih 1 et 2 ag p24 et ac,sérologie vih 1+2 (ag p24 + ac),vih 1+2 (ag/ac),vih (ag/ac),hiv ag/as combinatietest,hiv ag/ak,hiv ag/ab combo,hiv ag/ab (combo),anti-hiv 1 e 2 + ag p24',
  hiv_1_2_antibody: 'anti-hiv 1 e 2,anti-hiv 1/2,anticorps anti-vih 1 et 2,anti-hiv',
  treponema_pallidum_antibody:
    'treponema ab,treponema antibodies,syphilis total antibody,syphilis total antibody (eia),syphilis (ac totaux),treponema pallidum antistoffen,treponema pallidum (ac totales),anti-treponema pallidum',
  reagin_antibody_syphilis_screen: 'vdrl',
  rubella_igg: 'röteln-igg,rubéole igg,rosolia igg',
  rubella_igm: 'röteln-igm,rubéole igm,rosolia igm',
  toxoplasma_igg: 'toxoplasmose igg,toxoplasmosis igg,toxoplasma-igg',
  toxoplasma_igm: 'toxoplasmose igm,toxoplasmosis igm,toxoplasma-igm',
  borrelia_burgdorferi_igg: 'borrelia-igg,borrelien-igg,borreliose igg,borrelia igg',
  borrelia_burgdorferi_igm: 'borrelia-igm,borrelien-igm,borreliose igm,borrelia igm',
  h_pylori_stool:
    'helicobacter pylori antigen stool,helicobacter pylori antigene fecale,helicobacter-pylori-antigen im stuhl,antígeno de helicobacter pylori en heces,antigène helicobacter pylori selles',
  anti_ccp: 'anti-ccp ab igg,anti-ccp-antikörper',
  antithrombin: 'antithrombine (activité),antithrombine,antithrombin iii aktivität',
  eosinophils_abs: 'eosinophile,eozynofile',
  basophils_abs: 'basophile,bazofile',
  monocytes_abs: 'monozyten,monocyty',
  monocytes_pct: 'mono%,monocyty %',
  eosinophils_pct: 'eos%,eozynofile %',
  basophils_pct: 'baso%,bazofile %',
  procalcitonin: 'procalcitonina,procalcitonine,prokalzitonin',
  vitamin_a: 'vitamin a (retinol),vitamine a (rétinol)',
  hbv_dna: 'hepatitis b virus dna quantitative pcr',
  hepatitis_b_dna: 'hepatitis b virus dna quantitative pcr',
  transferrin_saturation: 'saturação da transferrina',
  psa_free: 'psa libero,psa libre,freies psa,psa frei',
  psa_free_pct: 'psa free/total,rapporto psa libero/totale,psa libre/total,psa frei/gesamt',
}

export const fartherNames: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(names).map(([id, text]) => [id, text.split(',')]),
)
