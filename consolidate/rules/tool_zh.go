package rules

import "strings"

// hanNaming are the Chinese names of fields that say what the others are about.
var hanNaming = map[string]bool{
	"姓名": true, "名字": true, "客户": true, "用户": true, "联系人": true, "员工": true, "学生": true, "患者": true, "会员": true, "服务": true,
	"项目": true, "项目名称": true, "设备": true, "主机": true, "应用": true, "订单": true, "订单号": true, "工单": true, "航班": true, "车次": true,
	"商品": true, "产品": true, "仓库": true, "任务": true,
}

// hanFields gives the predicates for Chinese names of fields.
var hanFields = map[string]string{
	"状态": "status", "当前状态": "status", "订单状态": "status", "城市": "lives_in", "所在城市": "lives_in", "居住地": "lives_in", "现居": "lives_in",
	"现居地": "lives_in", "常住地": "lives_in", "公司": "works_at", "单位": "works_at", "工作单位": "works_at", "任职公司": "works_at", "雇主": "works_at",
	"职业": "job_title", "职位": "job_title", "岗位": "job_title", "职务": "job_title", "邮箱": "email", "电话": "phone_number", "手机": "phone_number",
	"手机号": "phone_number", "生日": "birthday", "年龄": "age", "截止日期": "deadline", "截止时间": "deadline", "截止": "deadline", "到期日": "deadline",
	"负责人": "owner", "经办人": "owner", "版本": "version", "当前版本": "version", "数据库": "database", "框架": "framework", "部署": "deployment",
	"部署环境": "deployment", "部署于": "deployment", "地址": "address", "住址": "address", "收货地址": "address", "价格": "price", "单价": "price",
	"售价": "price", "预算": "budget", "金额": "amount", "构建": "build_status", "构建状态": "build_status", "上线日期": "launch_date", "上线时间": "launch_date",
	"血型": "blood_type", "过敏史": "allergic_to", "过敏原": "allergic_to", "学校": "studies_at", "专业": "major", "部门": "team", "车牌": "licence_plate",
	"承运商": "carrier", "登机口": "gate", "座位": "seat", "收件人": "recipient",
}

// hanFieldsOf reads the fields of a Chinese line, "名:值" or "名 值", between
// commas: 员工档案:姓名 王芳,职位:店长. The subject is the value of a field that
// names something.
func hanFieldsOf(line string) (subject string, found []field) {
	line = strings.NewReplacer("：", ":", "，", ",", "；", ",", ";", ",", "|", ",", "=", ":").Replace(line)
	for part := range strings.SplitSeq(line, ",") {
		for part = strings.TrimSpace(part); part != ""; {
			at := strings.IndexAny(part, ": ")
			if at < 0 {
				break
			}
			key, value := strings.TrimSpace(part[:at]), strings.TrimSpace(part[at+1:])
			name := hanFields[key]
			if !hanNaming[key] && name == "" {
				part = value // 员工档案:姓名 …
				continue
			}
			value = strings.Trim(value, `"'“”「」。. `)
			switch {
			case value == "" || len([]rune(value)) > maxObject:
			case hanNaming[key] && subject == "":
				subject = value
			case name != "":
				found = append(found, field{name, value})
			}
			break
		}
	}
	return subject, found
}
