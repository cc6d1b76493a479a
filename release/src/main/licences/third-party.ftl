<#-- The list of what a release bundles: a part a line. Filled by license-maven-plugin; uPlot is no artifact of Maven. -->
<#function address p>
  <#-- Of a part whose address is its parent's, the one of its source. -->
  <#if (p.url!"")?contains("$")><#return (p.scm.url)!""></#if>
  <#return p.url!"">
</#function>
What a release of Fedometer bundles: part, version, licence, address. The text of each licence lies beside this list.

<#list dependencyMap as e>
<#assign p = e.getKey()/>
${p.groupId}:${p.artifactId} | ${p.version} | ${e.getValue()?join(" or ")} | ${address(p)}
</#list>
uPlot, in org.fedometer:web | @uplot.version@ | MIT | https://github.com/leeoniya/uPlot
