/**
 * Reports as single HTML files with embedded data, script and style. The templates are in {@code
 * src/main/jte}.
 */
package org.fedometer.analysis.html;
