package org.fedometer.datasets.patents;

/**
 * The sentences that descriptions and claims are written in, by field, as {@link PatentGrammar}
 * reads them. Changing one changes every dataset.
 */
final class PatentPhrases {

  /** Sentences of any field. */
  static final String[] GENERAL = {
    "(referring now to|with reference to|turning to) %, the @ is = the @(| and comprises a @)",
    "(as shown in|as can be seen from|as illustrated in) %, the @ (comprises|includes|has) a @ and a"
        + " @ (that|which) is = the @",
    "% (shows|is a schematic view of|is an enlarged view of|is a perspective view of) the @(, in"
        + " which the @ is left out for the sake of clarity|| together with the @| before the @ is"
        + " fitted)",
    "in (the embodiment shown|a further embodiment|a second exemplary embodiment|one variant), the @"
        + " is (arranged|configured|designed|intended) to + the @ while the @ is = the @",
    "it (will be understood|goes without saying|should be noted|is to be appreciated) that the @"
        + " (can|may|could) be replaced by a * without departing from the (scope|spirit) of the"
        + " (invention|present disclosure|appended claims)",
    "(according to|in accordance with) (another|a preferred|an alternative) embodiment, (illustrated"
        + " in|shown in|described with reference to) %, the @ is = a *(, so that the ^ is improved||,"
        + " whereby the ^ increases)",
    "this (has the advantage|has the effect|means|ensures) that the ^ of the @ is (increased|improved|"
        + "maintained|hardly affected) (compared with the prior art|even ?|over a range of # to #)",
    "(if|when|whenever|as soon as) the @ (exceeds a predetermined threshold|reaches its end position|"
        + "fails), the @ is (switched off|released|brought to rest) and the @ is used to + the @",
    "the (operation|structure|manufacture|assembly|function) of the @ will now be (described|explained)"
        + " (in more detail|in greater depth|briefly) with reference to %",
    "in %, like reference (numerals|signs) (denote|designate|refer to) like parts, and a repeated"
        + " description of the @ is omitted",
    "(however|in contrast), the known * suffers from the (drawback|disadvantage|problem) that the ^"
        + " of the * is (limited|insufficient|strongly dependent on the *)",
    "there is (therefore|accordingly|thus) (a need|a demand|a long-felt want) for a * that can + the *"
        + " (with little effect on|without impairing|while improving) the ^",
    "those skilled in the art will (appreciate|recognize|readily see) that the @ may also + the @",
    "the (invention|present disclosure|teaching) is not limited to the (embodiments|examples|details)"
        + " described; in particular, the @ (may|can|need not) be = the @",
    "(alternatively|optionally|if desired), the @ is = the @ via the @, as indicated by a (broken|"
        + "dashed|dash-dotted) line in %",
    "the object (of the invention |)is to (provide|create|propose) a * with which the ^ can be"
        + " (raised|improved) (and|without) the * (being damaged|having to be replaced)",
    "from the (prior art|literature|European document mentioned above), a * is known in which a * is"
        + " = the * / ",
    "a * of this type is (described|disclosed|shown), for (example|instance), in the earlier"
        + " application of the same applicant, in which a * is used to + a *",
    "the @ (serves|is used|is provided) / and is = the @",
    "? the @ is = the @, (whereas|while|and) the @ (remains|is kept|stays) (in its position|free|"
        + "unaffected)",
    "the @, which is (not shown in detail|only indicated in %|also visible in %), is _ = the @",
    "it is (particularly|especially|quite) (advantageous|favourable|expedient) ? to (arrange|place|"
        + "provide) the @ (near|at|beside|close to) the @",
    "(in the present case|here|in this arrangement), (a second|a third|a further) * of the kind of the"
        + " @ is (used|provided|present), which is = the @",
    "the term * as used (herein|in this specification) (means|is intended to cover|includes) any *"
        + " (that can|able to|suited to) + a *(, whether or not it is = a *|)",
    "the ^ depends (above all|mainly|to a large extent|only slightly) on (the @|how the @ is = the @|"
        + "the distance between the @ and the @)",
    "(tests|measurements|simulations|trials) (have shown|showed|confirm) that the ^ (rises|falls|"
        + "improves|deteriorates) by (about|at least|up to|no more than) # ?",
    "what has been said about the @ (applies|holds) (equally|mutatis mutandis|correspondingly) to the @"
        + " (and the @|)",
    "(one|a first) (possibility|way) of > the @ is to (make|keep|leave) the @ (smaller|wider|longer|"
        + "stiffer|lighter) than the @",
    "by (virtue|means) of the @, it is (possible|now possible|feasible) to + the @ (without|before|"
        + "while) the @ (being touched|is = the @|moves)",
    "the @ of % differs from that of % in that (it is = the @|the @ is missing|a @ is provided / )",
    "(for reasons of|with regard to|in view of) ^, the @ is (preferably|advantageously|usually) = the"
        + " @ (and not|instead of) the @",
    "(neither the @ nor the @|not the @ but the @|both the @ and the @) (contributes|has to contribute|"
        + "contribute) to the ^ (here|in this state|? )",
    "a (user|operator|technician|person) (who wants|intending|wishing) to + the @ (first|simply|only)"
        + " (removes|opens|sets|turns) the @",
    "the following (table|examples|remarks) (show|illustrate|summarize) the (influence|effect) of the @"
        + " on the ^",
    "(up to now|hitherto|in the past), * of this kind were = a *, (which led to|with the consequence"
        + " of|at the cost of) (a loss of ^|poor ^|high wear)",
    "to (that|this) extent, the @ (corresponds to|resembles|is identical with|replaces) the @ known"
        + " from the (first|second|previous) embodiment",
    "a (further|third|particularly simple) (aspect|feature|measure) (concerns|relates to) the @, which"
        + " is _ = the @ / ",
    "the @ then (returns|moves|passes) to the (position|state|condition) (shown in|of) %, and the"
        + " (cycle|process|procedure) (begins again|is repeated # later|is complete)",
    "when (viewed|seen) in the direction of the @, the @ (precedes|follows|covers|crosses) the @",
    "it (is|would be) (also|likewise|equally) (conceivable|possible) for the @ to be = the @, (provided"
        + " that|as long as) the ^ (permits|allows) this",
    "the (number|size|shape|position) of the @ is (chosen|selected|determined) (according to|as a"
        + " function of|in line with) the ^ (desired|required|to be achieved)",
    "? a (second|spare|similar) @ takes over the (task|role|work) of the @",
    "all (publications|patents|documents) (cited|mentioned) (above|herein) are (incorporated by"
        + " reference|hereby included) as far as they concern the *",
    "between the @ and the @ there (is|remains) a (gap|clearance|space) of (about|at most|some) #(, into"
        + " which the @ projects||, which is bridged by the @)",
  };

  /** Sentences about things that move and hold. */
  static final String[] MECHANICAL = {
    "when the @ is (moved|pushed|pulled|turned) towards the @, the @ (comes|is brought) into"
        + " (contact|engagement) with the @",
    "the @ may be (made|formed|moulded|machined) (of|from) ~ or ~(, the @ on the other hand of ~|)",
    "(preferably|typically), the distance between the @ and the @ is between # and #",
    "the @ has a (width|length|diameter|wall thickness) of (about|approximately) #, (more preferably"
        + " about|in particular) #, and is = the @",
    "the @ and the @ are (formed|made|cast) in one piece, for instance from ~",
    "one end of the @ is = the @, and the (other|opposite|free) end of the @ is = the @",
    "the @ is (inclined|tilted|offset) with respect to the @ by an angle of between # and 45&#xb0;",
    "the @ is (preferably|partly|completely) coated with ~ having a thickness of # to #",
    "the @ has a (shoulder|recess|bore|slot|projection|chamfer) (into|onto|against) which the @ is"
        + " (pressed|screwed|fitted|snapped) / ",
    "(screws|rivets|pins|bolts|clips|weld seams) (hold|fasten|secure|connect) the @ (to|on) the @",
    "the force of the @ (acts|presses|bears) _ on the @, (so that|with the result that) the @ is = the @",
    "a (clockwise|counterclockwise|further|slight) (rotation|movement) of the @ (causes|forces|allows)"
        + " the @ to + the @",
    "the @ (slides|rolls|runs|is guided) (along|on|in|over) the @ until it (strikes|meets|reaches) the @",
    "(play|friction|wear|backlash) between the @ and the @ is (avoided|reduced|compensated for) by the @",
    "the (inner|outer|upper|lower|rear|front) (face|side|edge) of the @ is (ground|polished|rounded|"
        + "roughened|toothed), (preferably|for example) to #",
    "the @ (tapers|widens|narrows) from # at the @ to # at the @",
    "(air|oil|water|coolant|exhaust gas|steam) (flows|passes|is drawn|escapes) from the @ (through|via)"
        + " the @ (into|to) the @ at (a rate of |)#",
    "the (axis|centre line) of the @ (coincides with|runs parallel to|intersects) that of the @",
    "for (mounting|removal|repair), the @ is _ (lifted|drawn) off the @, (after which|whereupon) the @ can"
        + " be (taken out|exchanged|cleaned)",
    "the @ is (biased|urged|loaded) (towards|away from) the @ by a (helical|leaf|torsion|disc) spring of"
        + " ~ with # turns",
    "a (ball|needle|plain|tapered roller) bearing (supports|carries|centres) the @ in the @",
    "the @ (withstands|is designed for|fails only at) (pressures|temperatures|loads) of up to #",
  };

  /** Sentences about circuits and signals. */
  static final String[] ELECTRICAL = {
    "for (example|instance), the @ can be (driven|operated|supplied) at #, whereas the @ is kept at #",
    "the (signal|output|voltage) of the @ is (fed|applied|passed) to the @, which compares it with the"
        + " output of the @",
    "the @ has ` turns of ~ wire with a diameter of #",
    "the controller sets the @ to #, the @ to # and the @ to #",
    "the (base|gate|drain|cathode|anode|emitter) of the @ is (connected|coupled|tied) to the @ (via a"
        + " resistor of #|through the @|and to ground)",
    "(during|after|before) the (reset|charging|sampling|blanking) phase, the @ is (isolated|disconnected)"
        + " from the @ (by|by means of) the @",
    "the @ (oscillates|switches|operates|resonates) at a frequency of (about |)#, (which is|i.e.)"
        + " (well above|below|twice) that of the @",
    "layers of ~ with a thickness of ` &#x3bc;m to 20 &#x3bc;m are (suitable|used|deposited) for the @",
    "the layer of ~ is (etched|grown|sputtered|annealed|patterned) (at #|for #|in the @) until its"
        + " thickness is #",
    "(noise|jitter|crosstalk|leakage current|offset) of the @ is (suppressed|filtered out|cancelled) by the"
        + " @ before the signal (reaches|enters) the @",
    "the (rising|falling|leading|trailing) edge of the (clock|pulse|enable|strobe) signal (starts|stops|"
        + "triggers|latches) the @",
    "the @ (converts|amplifies|attenuates|samples|integrates) the (current|voltage|charge) of the @ (with a"
        + " gain of #|at intervals of #|and stores it in the @)",
    "in (standby|normal|test|write|read) mode the @ draws (less than|about|only) #, and the @ is (floating|"
        + "high|low)",
    "light (emitted|reflected|scattered) by the @ (falls|is focused) on the @ (through|by) the @, whose"
        + " focal length is #",
    "the @ is (integrated|formed|embedded) on the same (substrate|die|board|chip) as the @ and the @",
    "a (positive|negative|constant|variable) voltage of # is applied (between|across) the @ and the @ ?",
    "the (bandwidth|impedance|capacitance|duty cycle|phase) of the @ is (matched to|controlled by|measured"
        + " with) the @(, typically #|)",
    "the @ (receives|demodulates|decodes|transmits) (carriers|bursts|symbols|frames) at # and (passes|hands)"
        + " them to the @",
    "(electrons|holes|carriers|charges) (move|drift|tunnel|are injected) from the @ into the @ when the @ is"
        + " (forward|reverse) biased",
  };

  /** Sentences about substances. */
  static final String[] CHEMICAL = {
    "the @ may (contain|comprise) $, $ or a mixture of $ and $",
    "a solution of $ in $ was (kept|stirred|refluxed) at # for #, after which the @ was rinsed with $",
    "suitable (additives|solvents|stabilizers|initiators) are $, $, $ and $",
    "the layer of $ was etched with $ until its thickness was #",
    "compared with $, the use of $ (lowers|raises|improves) the ^ by (about|up to) #",
    "the @ is filled with ~ that contains # of $",
    "examples of such compounds are $, $ and $, of which $ is preferred",
    "the reaction of $ with $ (yielded|gave|afforded) # of $ (at #|as a colourless oil|as white crystals|"
        + "after recrystallization from $)",
    "experiments were carried out at # with a @ of ~; after #, the ^ had changed by less than #",
    "the (mixture|residue|organic phase|filtrate|precipitate) was (washed|dried|extracted|treated) with $"
        + " (three times|over $|for #) and (concentrated|evaporated|filtered) (in vacuo|at #)",
    "the (polymer|resin|composition|formulation) (comprises|is obtained from) # to # of $ and # to # of"
        + " $(, based on the total weight|)",
    "Example `: $, #, was (dissolved|suspended|dispersed) in $ and (heated|cooled) to #",
    "the (substituent|radical|group) R is (hydrogen|methyl|halogen|alkyl having 1 to 6 carbon atoms|phenyl|"
        + "cycloalkyl), preferably derived from $",
    "the (catalyst|enzyme|promoter) consists of $ on ~ and is (activated|regenerated|reduced) at # (in a"
        + " stream of nitrogen|under hydrogen|in air)",
    "(tablets|capsules|solutions|creams|suspensions) (contain|comprise) # of the compound together with"
        + " (lactose|starch|$|magnesium stearate|talc)",
    "the (melting|boiling|softening|flash) point of $ is (about |)#, (so that|whence) the @ must be kept"
        + " (below|above) #",
    "(cells|mice|samples|cultures) were (incubated|treated|exposed) with $ at # for # and (examined|counted|"
        + "analysed) by means of a *",
    "the (molar|weight) ratio of $ to $ is from 1:` to 1:`",
    "salts of $ with (hydrochloric|sulfuric|acetic|citric|maleic) acid are (also|likewise) (suitable|active|"
        + "comprised)",
    "the @ (supplies|doses|sprays|pumps) $ into the @, where it reacts with $ at (a pressure of |)#",
  };

  /** Sentences about programs and data. */
  static final String[] COMPUTING = {
    "(first|initially|in a first step), the @ is supplied to the @, and then the @ is used to + the @",
    "in step `, the @ (checks|determines|decides) whether the @ (has been changed|is valid|is available|"
        + "matches the @); if (so|not), the (method|process|flow) (continues with|returns to|ends at) step `",
    "the @ (stores|holds|contains) (instructions|data|records|entries) that, when executed by the @, cause"
        + " the @ to + the @",
    "the @ (sends|returns|forwards) a (request|message|response|token|packet) to the @ (over|via|through)"
        + " the network / ",
    "each (record|entry|node|packet|row) (comprises|has|includes) (an identifier|a time stamp|a pointer to"
        + " the @|a length|a check sum) and (a reference to|the address of|a copy of) the @",
    "(upon|in response to) (receiving|detecting) (an interrupt|a query|an error|a request) from the @, the @"
        + " (updates|locks|invalidates|reads) the @",
    "the (software|program|routine|module) may be (written|implemented|provided) (in any language|as"
        + " firmware|in hardware|on a carrier), (and|or) (loaded|downloaded) into the @",
    "the (user|subscriber|administrator|client) (selects|enters|confirms) a * (by means of|on|using) the @,"
        + " (whereupon|after which) the @ is (displayed|sent|stored)",
    "a (table|list|tree|queue|database) in the @ (maps|relates|assigns) each * to (a|one) * of the @",
    "(access|authentication|encryption|compression|synchronization) is (performed|handled|controlled) by the"
        + " @ (before|while|unless) the @ is = the @",
    "the (image|video|audio|speech) data are (divided|split|transformed) into (blocks|frames|bands) of ` by ` and"
        + " (quantized|coded|filtered) in the @",
    "(suppose|assume) that the @ (needs|takes|has) #; the @ then (waits|retries|sleeps) for # before it can"
        + " + the @",
    "the (weight|score|probability|priority) of the @ is (computed|estimated|updated) from the (last `|values"
        + " of the @|history of the @)",
    "if the (connection|session|transaction|call) is (lost|aborted|refused), the @ (restores|releases|"
        + "restarts) the @ (after #|from the @|without notice)",
    "the @ and the @ (run|execute|reside) on (the same|different|several) (servers|machines|processors|"
        + "hosts), (linked|connected) by the @",
    "(bits|bytes|fields|flags) ` to ` of the @ (indicate|encode|select) the (type|state|version|owner) of"
        + " the @",
    "a (cache|buffer|index|log) of # (reduces|shortens|limits) the (time|delay|traffic) needed to + the @",
    "the (interface|protocol|format|driver) between the @ and the @ is (standardized|proprietary|described"
        + " below|extended / )",
  };

  /** When or on what condition. */
  static final String[] CIRCUMSTANCES = {
    "when the @ is = the @",
    "if the ^ falls below #",
    "as long as the @ is not = the @",
    "after the @ has been = the @",
    "before the @ is switched on",
    "even if the @ is missing",
    "while the @ is at rest",
    "at ` &#xb0;C",
    "at the beginning of the cycle",
    "in the event of a fault of the @",
    "under a load of #",
    "unless the @ is damaged",
    "in the absence of the @",
    "once every #",
    "with the @ removed",
    "in the case of a small @",
    "at high ^",
    "whenever the @ changes",
    "within # after the start",
    "in spite of the weight of the @",
  };

  /** What for. */
  static final String[] PURPOSES = {
    "in order to + the @",
    "so as to + the @ and the @",
    "for the purpose of better ^",
    "to prevent the @ from being = the @",
    "to make the @ accessible",
    "to save space",
    "so that it can + the @",
    "to ensure sufficient ^",
    "for use with a @",
    "to compensate for the @",
    "in such a way that the @ is = the @",
    "to allow the @ to move",
    "to keep the ^ constant",
    "for connection to a @",
    "to reduce the load on the @",
    "in order not to disturb the @",
  };

  /** Parts that an independent claim lists. */
  static final String[] CLAIM_ELEMENTS = {
    "a * (=|that is =|which is =) the *",
    "a * (configured|adapted|arranged|operable) to + the * (?|and the *|)",
    "(at least one|a plurality of|a first and a second) * = the *, (said|the) * (comprising|including) a *",
    "a * (of|made of|comprising) ~ having a (thickness|width|length|diameter) of # to #",
    "means for > the * in (response to|dependence on) a * of the *",
    "a * (disposed|located|arranged) between the * and the * / ",
    "a * for (receiving|supporting|guiding|controlling) the *, wherein the * is = the *",
    "wherein the * is _ = the * (such|so) that the * can + the *",
    "a * (comprising|consisting of|containing) $ and (optionally|at least) # of $",
  };

  /** What a dependent claim adds. */
  static final String[] CLAIM_FEATURES = {
    "wherein the * is (_ |)= the *",
    "further comprising a * = the *, wherein the * is (configured|adapted|arranged) to + the *",
    "wherein the * (comprises|is made of|consists of) ~ (or|and) ~",
    "wherein the * has a (thickness|width|height|length) of (from |)# to #(, preferably # to #|)",
    "wherein the * is (configured|designed|operable) to + the * when the * is = the *",
    "characterized in that the * is = the * and that the * is = the *",
    "in which the * (includes|has|is provided with) (a|at least one) * / ",
    "wherein (said|the) * is (selected from the group consisting of|one of) $, $, $ and $",
    "wherein the * and the * are (formed in one piece|spaced apart by #|= the *)",
    "further comprising (the step of > the * ?|means for > the *|a * / )",
    "wherein the ^ of the * is (less|greater) than #(, and the * is = the *|)",
    "wherein the * is (removable from|movable relative to|integral with) the *, and wherein a * is = the *",
  };

  /** What a row of a table is about. */
  static final String[] TABLE_ROWS = {
    "*", "~", "$", "Example `", "comparative example `", "sample `", "# of ~", "# of $", "after #",
  };

  private PatentPhrases() {}
}
