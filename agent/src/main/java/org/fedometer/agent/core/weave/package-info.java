/**
 * Which classes get which stages, and how: the plan, AspectJ's weaver for one class loader after
 * the other, the user's own stages, and the report of what has become of each.
 */
package org.fedometer.agent.core.weave;
