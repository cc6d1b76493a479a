<#-- The list of what a release bundles: a part a line. Filled by license-maven-plugin; uPlot is no artifact of Maven. -->
<#function address p>
  <#-- Some say that theirs is their parent's, and it stays unresolved. -->
  <#if (p.url!"")?contains("$")><#return (p.parent.url)!""></#if>
  <#return p.url!"">
</#function>
What a release of Fedometer bundles: part, version, licence, address. The text of each licence lies beside this list.

<#list dependencyMap as e>
<#assign p = e.getKey()/>
${p.groupId}:${p.artifactId} | ${p.version} | ${e.getValue()?join(" or ")} | ${address(p)}
</#list>
uPlot, in org.fedometer:web | @uplot.version@ | MIT | https://github.com/leeoniya/uPlot
